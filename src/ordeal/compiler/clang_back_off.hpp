// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Replaces the result of each sleep by 0, as it is in the model: no signal interrupts one there. Otherwise the
/// library's std::this_thread::sleep_for() would be one more loop, until the result says that it was not interrupted.
void fold_sleep_results(llvm::Function& function);

/// Removes the back-off of a loop between two reads, as far as it depends on the loop's counter alone: pauses of the
/// processor, yields and sleeps. The counter is then dead and is removed by clang's own passes. So the loop is in the
/// same state in each iteration, and the model recognises that it has returned to it.
///
/// Nothing else is removed: no access, no atomic operation, no exit of a loop. A pause, a yield or a sleep stays if it
/// is controlled only by values that were read, and a sleep also if by what does not change in the loop: how long the
/// loop may take is then no matter of its counter. Returns whether the function may have changed.
bool drop_back_off(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace ordeal::compiler
