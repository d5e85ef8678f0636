// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ordeal::compiler {

// Bytes of an object that are in no member of it. As far as debug information tells, which has the types that are copied.

/// Takes copies of classes apart: what copies members, and what copies padding. The compiler copies both, but a copy of an object
/// is no access to its padding, where a member of a derived class may lie. Before anything is inlined.
void split_padding_copies(llvm::Module& module);
[[nodiscard]] bool is_padding_access(const llvm::Instruction& access);

/// Values of std::atomic are compared without their padding: it is zero in all that comes into one.
void clear_padding_of_atomics(llvm::Module& module);

}  // namespace ordeal::compiler
