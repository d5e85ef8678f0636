// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace ordeal::compiler {

/// Removes what a loop with a back-off does between two looks and what depends on its counter alone: pauses of the processor,
/// yields. What then remains of the counter is of no use, and is dropped by clang's own passes. So the loop is in the same
/// state in each turn, and the model can tell that it has come back.
///
/// Nothing else is removed: no access, no atomic operation, no end of a loop. A pause or a yield stays if whether it is
/// reached depends only on what was seen.
void drop_back_off(llvm::Function& function);

}  // namespace ordeal::compiler
