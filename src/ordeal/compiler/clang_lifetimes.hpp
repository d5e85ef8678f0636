// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace ordeal::compiler {

/// The underlying type in debug information, without typedefs, const and volatile.
[[nodiscard]] const llvm::DIType* without_qualifiers(const llvm::DIType* type);

/// The end of an object's lifetime, or the beginning or end of a variable's scope, marked by an assumption without
/// meaning to the compiler: it keeps no variable in memory and moves with the surrounding code.
/// instrument_non_atomic_accesses() turns it into a call.
struct lifetime_mark {
    enum class kinds : unsigned char { none, end_of_life, begin_of_scope, end_of_scope };

    kinds kind = kinds::none;
    llvm::Value* object = nullptr;
    llvm::Value* size = nullptr;
};

/// Marks the ends of all destructors compiled here, of the members that they destroy, and of the standard library's
/// functions that destroy objects with trivial destructors. Before anything is inlined.
void mark_lifetime_ends(llvm::Module& module);

/// Marks the scopes of a coroutine's variables: those that will be in its frame lose LLVM's own markers. Directly
/// before it is split: two variables may have the same place in the frame, so none may lose the mark of its beginning
/// alone. Returns whether there is any.
bool mark_scopes(llvm::Function& coroutine);

/// Announces the stack space of each variable that is large, or may be. Before any of it is optimised away.
void tell_large_variables(llvm::Module& module);

/// None if it is another assumption.
[[nodiscard]] lifetime_mark lifetime_marked(const llvm::IntrinsicInst& what);

/// The size of the object that a call destroys, which its first argument points to; 0: it is another call.
[[nodiscard]] std::uint64_t destroyed_size(const llvm::CallBase& call);

/// Drops adjacent marks that lie within others: for example the end of a base class directly before that of the class.
void drop_nested_lifetime_ends(llvm::Function& function);

/// The variables of a function without scope markers: they live as long as the function runs.
[[nodiscard]] llvm::SmallVector<llvm::AllocaInst*, 8> variables_without_scope(llvm::Function& function);

/// The variable whose scope begins or ends here; null if it is something else.
[[nodiscard]] llvm::AllocaInst* variable_of_scope(const llvm::IntrinsicInst& what);

/// Whether the called function neither retains the addresses passed to it nor makes them known to another thread.
[[nodiscard]] bool does_not_capture(const llvm::CallBase& call);

/// The exits of a function: code inserted there runs after everything else that the function itself does.
[[nodiscard]] llvm::SmallVector<llvm::Instruction*, 8> exits_of(llvm::Function& function);

}  // namespace ordeal::compiler
