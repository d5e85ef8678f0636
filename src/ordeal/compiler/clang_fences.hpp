// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Clang makes nothing of std::atomic_thread_fence(std::memory_order_relaxed). It does nothing, and is a site all the same: an audit may
/// find that it is to be stronger. So the model is told of it. Before anything is inlined.
void keep_relaxed_fences(llvm::Module& module);

}  // namespace ordeal::compiler
