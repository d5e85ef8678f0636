// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Lets a loop that reads one atomic a bounded number of times exit after its first or second iteration, wherever only
/// its counter keeps it going; or after its third one, if it may exit in two places, or passes a value on that is used
/// after the loop. The outcomes are the same: see docs/reference/waiting.md, loops that count. The pattern is narrow,
/// so that nothing but the exit of the loop can depend on the counter.
void shorten_counted_loops(llvm::Function& function, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                           const llvm::DominatorTree& before);

}  // namespace ordeal::compiler
