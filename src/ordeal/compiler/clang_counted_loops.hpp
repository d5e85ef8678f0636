// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Lets a loop that looks at one atomic, so many times at most, end after its first turn or its second, where it would have
/// gone on only because its counter had not come to its end. The outcomes are the same: see docs/reference/waiting.md,
/// loops that count. What may be counted is narrow, so that it is certain that nothing but the end of the loop depends
/// on the counter.
void shorten_counted_loops(llvm::Function& function, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                           const llvm::DominatorTree& before);

}  // namespace ordeal::compiler
