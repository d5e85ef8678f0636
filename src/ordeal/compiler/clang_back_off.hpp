// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Removes the back-off of a loop between two reads, as far as it depends on the loop's counter alone: pauses of the
/// processor and yields. The counter is then dead and is removed by clang's own passes. So the loop is in the same
/// state in each iteration, and the model recognises that it has returned to it.
///
/// Nothing else is removed: no access, no atomic operation, no exit of a loop. A pause or a yield stays if it is
/// controlled only by values that were read.
void drop_back_off(llvm::Function& function);

}  // namespace ordeal::compiler
