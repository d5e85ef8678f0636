// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Keeps a plain read whose value nobody uses from being removed before tell_plain_accesses() has seen it.
void keep_unused_reads(llvm::Module& module);

/// Puts a call before every plain access that a thread other than the running one could make too, in all functions of
/// the module, whatever its size: `__tsan_read4` and its like, as ThreadSanitizer's own pass has them, or
/// `__tsan_read_range`. What it cannot see, assembler and intrinsics that it does not know, gets a call that says so when it
/// is reached. A reading of the processor's clock becomes one of the model's.
void tell_plain_accesses(llvm::Module& module);

}  // namespace ordeal::compiler
