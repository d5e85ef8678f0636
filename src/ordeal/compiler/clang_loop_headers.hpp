// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Calls the runtime at the header of each loop in which a thread may wait for others, with the live state of the
/// function there: what an iteration depends on besides memory and the frames of callers. The binary does not tell
/// which registers and which bytes of the frame are live; what a failed iteration leaves in the others is no state.
///
/// `loops` is of the function as it is. Only calls and the values that they need are inserted.
void mark_loop_headers(llvm::Function& function, const llvm::LoopInfo& loops, const llvm::DominatorTree& before);

}  // namespace ordeal::compiler
