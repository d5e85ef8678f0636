// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Metadata of loads that preserve_source_accesses() has made volatile, until instrument_non_atomic_accesses().
inline constexpr llvm::StringRef kept = "ordeal.kept";

/// Whether something other than a load or a store in its function may come to know the address of a variable, and keep it when a
/// call is over that gives it back.
[[nodiscard]] bool may_be_captured(
    const llvm::Value& object,
    llvm::function_ref<bool(const llvm::CallBase&)> does_not_capture = [](const llvm::CallBase&) { return false; });

/// Keeps what the source says until instrument_non_atomic_accesses() has seen it, and where that is a call, for good: no call becomes a
/// load or a store of the compiler's own, or is dropped for its value is not used, and no read is made that the source does
/// not make.
void preserve_source_accesses(llvm::Module& module);

/// Puts a call before every plain access that a thread other than the running one could make too, in all functions of
/// the module, whatever its size: `__tsan_read4` and its like, as ThreadSanitizer's own pass has them, or
/// `__tsan_read_range`. What it cannot see, assembler and intrinsics that it does not know, gets a call that says so when it
/// is reached. A reading of the processor's clock becomes one of the model's.
void instrument_non_atomic_accesses(llvm::Module& module);

}  // namespace ordeal::compiler
