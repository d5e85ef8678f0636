// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace ordeal::compiler {

/// Of a type in debug information: neither a name for it, nor const or volatile.
[[nodiscard]] const llvm::DIType* without_qualifiers(const llvm::DIType* type);

/// Where the life of an object ends, as an assumption that means nothing to the compiler: it keeps no variable in memory, and
/// goes where the code around it goes. instrument_non_atomic_accesses() makes a call of it.
struct lifetime_end {
    llvm::Value* object = nullptr;
    llvm::Value* size = nullptr;
};

/// Marks the ends of all destructors that are compiled here, and of what the standard library calls to destroy what has no
/// destructor to be called. Before anything is inlined.
void mark_lifetime_ends(llvm::Module& module);

/// Before each variable that is large, or may be: that so much of the stack is needed. Before any of it is optimised away.
void tell_large_variables(llvm::Module& module);

/// Nothing where it is another assumption.
[[nodiscard]] lifetime_end marked_end(const llvm::IntrinsicInst& what);

/// Of marks with nothing between them, those within others go: the end of a base class, for one, directly before that of the class.
void drop_nested_lifetime_ends(llvm::Function& function);

/// The variables of a function of which the compiler does not say how long they live: as long as it runs.
[[nodiscard]] llvm::SmallVector<llvm::AllocaInst*, 8> variables_without_scope(llvm::Function& function);

/// The variable whose scope begins or ends here; null where that is something else.
[[nodiscard]] llvm::AllocaInst* variable_of_scope(const llvm::IntrinsicInst& what);

/// Whether a function is called that does not keep what it is told the address of, and does not let another thread know it.
[[nodiscard]] bool does_not_capture(const llvm::CallBase& call);

/// Where a function ends: what is put there comes after everything else that it does itself.
[[nodiscard]] llvm::SmallVector<llvm::Instruction*, 8> exits_of(llvm::Function& function);

}  // namespace ordeal::compiler
