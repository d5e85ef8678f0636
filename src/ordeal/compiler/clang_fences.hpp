// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Clang drops std::atomic_thread_fence(std::memory_order_relaxed). It has no effect but is a site nevertheless: an
/// audit may find that it must be stronger. So it is reported to the model. Before anything is inlined.
void keep_relaxed_fences(llvm::Module& module);

/// Assembler that is a fence of the processor, and intrinsics of such instructions, become fences that the model knows:
/// `mfence`, a locked operation on a variable of the function itself or at the stack pointer, `dmb ish`. Compilers
/// translate a C++ fence to the same instruction. That the instruction orders no more than the fence is assumed, and
/// the limit `assembler-fence` says so. Before anything is inlined.
void replace_fences_of_assembler(llvm::Module& module);

/// Whether that has been done, and what is left changes a variable of the function itself.
[[nodiscard]] bool is_rest_of_fence(const llvm::CallBase& assembler);

}  // namespace ordeal::compiler
