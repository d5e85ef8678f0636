// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace ordeal::compiler {

// A class is copied as bytes. Some of them may never have been written: padding, the value of an empty std::optional, what a
// union does not hold. Such a copy is no read of a value; whoever uses the copy reads one. So the bytes that a load finds without
// a value are carried on: a word beside each value that is only copied, with a bit for each byte.

/// Marks the loads that the source makes of a value whose type it names. The others are of bytes, or the compiler makes them
/// of a larger copy. Before anything is inlined.
void mark_reads_of_values(llvm::Module& module);
[[nodiscard]] bool reads_a_value(const llvm::LoadInst& load);

/// Whether what it reads is used where it is read, in any case: then that is where to say that nobody has written it.
[[nodiscard]] bool is_used_at_once(const llvm::LoadInst& load);

/// Follows copied values through a function.
class copied_values {
public:
    /// `bytes`: what tells, when the program runs, which bytes of the value nobody has written.
    void add(llvm::LoadInst& load, llvm::Value* bytes);

    /// Follows what was added, as far as it goes. Calls `use` for each instruction that uses a value: with its word, and its size.
    void follow(llvm::function_ref<void(llvm::Instruction& user, llvm::Value* bytes, std::uint64_t size)> use);

    /// The word of a value; null where the value has been made of something else.
    [[nodiscard]] llvm::Value* bytes_of(const llvm::Value* value) const { return bytes_.lookup(value); }

private:
    void set(const llvm::Value& value, llvm::Value* bytes);
    void pass_on(const llvm::Value* from, llvm::Instruction& to);
    void complete();

    llvm::DenseMap<const llvm::Value*, llvm::Value*> bytes_;
    llvm::SmallVector<const llvm::Value*, 16> left_;
    llvm::SmallVector<llvm::Instruction*, 8> joined_;  // phi and select, whose words are not complete yet
};

}  // namespace ordeal::compiler
