// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Clang drops std::atomic_thread_fence(std::memory_order_relaxed). It has no effect but is a site nevertheless: an
/// audit may find that it must be stronger. So it is reported to the model. Before anything is inlined.
void keep_relaxed_fences(llvm::Module& module);

}  // namespace ordeal::compiler
