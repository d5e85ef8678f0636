// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Adds a call of the runtime wherever a coroutine begins, is suspended or resumed, and wherever a handle is resumed,
/// destroyed or asked whether it is done(): all of these have the precondition that the coroutine is suspended
/// ([coroutine.handle.resumption], [coroutine.handle.observers]). For coroutines that are not yet split.
void report_coroutines(llvm::Module& module);

}  // namespace ordeal::compiler
