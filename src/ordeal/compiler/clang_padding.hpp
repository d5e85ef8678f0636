// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace ordeal::compiler {

// Padding: bytes of an object that belong to no member, as far as debug information describes the copied types.

/// Splits copies of classes into copies of members and copies of padding. The compiler copies both, but a copy of an
/// object does not access its padding, which may contain a member of a derived class. Before anything is inlined.
void split_padding_copies(llvm::Module& module);
[[nodiscard]] bool is_padding_access(const llvm::Instruction& access);

/// Values of std::atomic are compared without their padding, so padding is zeroed in all values stored to one.
void clear_padding_of_atomics(llvm::Module& module);

}  // namespace ordeal::compiler
