// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace ordeal::compiler {

// A class is copied as bytes, some of which may be uninitialised: padding, the value of an empty std::optional,
// inactive members of a union. Such a copy reads no value; a use of the copy does. So uninitialised bytes are
// propagated: beside each value that is only copied there is a word with a bit for each byte.

/// Marks the loads that the source makes of a value whose type it names. Other loads are of bytes, or made by the
/// compiler as parts of a larger copy. Before anything is inlined.
void mark_reads_of_values(llvm::Module& module);
[[nodiscard]] bool reads_a_value(const llvm::LoadInst& load);

/// Whether the loaded value is used immediately in any case: then an uninitialised read is reported there.
[[nodiscard]] bool is_used_at_once(const llvm::LoadInst& load);

/// Follows copied values through a function.
class copied_values {
public:
    /// `bytes`: the run-time value that has the uninitialised bytes of `load`.
    void add(llvm::LoadInst& load, llvm::Value* bytes);

    /// Follows the added values. Calls `use` for each instruction that uses one: with its word and its size.
    void follow(llvm::function_ref<void(llvm::Instruction& user, llvm::Value* bytes, std::uint64_t size)> use);

    /// The word of a value; null if the value was computed from others.
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
