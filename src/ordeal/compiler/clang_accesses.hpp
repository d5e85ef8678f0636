// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Metadata of loads that preserve_source_accesses() has made volatile, until instrument_non_atomic_accesses().
inline constexpr llvm::StringRef kept = "ordeal.kept";

/// Whether anything but loads and stores of its function may learn the address of a variable and retain it after a call
/// that does not capture it.
[[nodiscard]] bool may_be_captured(
    const llvm::Value& object,
    llvm::function_ref<bool(const llvm::CallBase&)> does_not_capture = [](const llvm::CallBase&) { return false; });

/// Preserves the accesses of the source until instrument_non_atomic_accesses() has seen them, and calls for good: no
/// call becomes a load or a store of the compiler's own or is dropped because its result is unused, and no read is
/// introduced.
void preserve_source_accesses(llvm::Module& module);

/// Inserts a call before every non-atomic access that could be to memory shared between threads, in all functions of
/// the module: `__tsan_read4` and so on, as in ThreadSanitizer's own pass, or `__tsan_read_range` for other sizes.
/// Assembler and unknown intrinsics get a call that reports them as unchecked when they are reached. Readings of the
/// processor's clock are redirected to the model's.
void instrument_non_atomic_accesses(llvm::Module& module);

/// Replaces the copies that instrument_non_atomic_accesses() has left by calls of the runtime: they would be compiled
/// as calls of memcpy() and others, which report accesses. After all optimisations.
void replace_unreported_copies(llvm::Module& module, bool optimised);

}  // namespace ordeal::compiler
