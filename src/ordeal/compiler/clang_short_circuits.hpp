// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Makes branches of `a && b` and `a || b` in the conditions of loops, as an `if` has them. clang makes a flag of them:
/// a phi of `false` and `b`, on which it branches. Likewise where it leaves the scope of a variable in a loop: it
/// switches on where to go on. True if anything was changed.
bool branch_without_flags(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace ordeal::compiler
