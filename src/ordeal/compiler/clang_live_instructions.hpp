// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace ordeal::compiler {

/// The name of the function that is called; empty if it is not known, or for what is no call.
[[nodiscard]] llvm::StringRef name_of_called(const llvm::Instruction& what);

/// Whether a call only lets time pass: a pause of the processor, a yield. Neither other threads nor the model observe
/// it.
[[nodiscard]] bool is_idle(const llvm::Instruction& what);

/// Whether a call lets the thread sleep for a time.
[[nodiscard]] bool is_sleep(const llvm::Instruction& what);

/// The live instructions of a function, with idle waiting counted as dead: accesses, calls, returns, and whatever they
/// depend on, including branches that control them. This is ADCE with pauses and yields as instructions without effect,
/// or others that are `dead`.
class live_instructions {
public:
    using condition = bool (*)(const llvm::Instruction& what);

    explicit live_instructions(llvm::Function& function, condition dead = is_idle);

    [[nodiscard]] bool contains(const llvm::Instruction& what) const { return needed_.contains(&what); }
    /// The dead ones of the branches that control the block.
    [[nodiscard]] llvm::SmallVector<const llvm::Instruction*, 4> dead_branches_on(const llvm::BasicBlock& block) const;

private:
    using branches = llvm::SmallVector<const llvm::Instruction*, 8>;

    [[nodiscard]] bool is_needed_itself(const llvm::Instruction& what);
    /// The local variables, known to no other function, that an address may point to; empty: it may point to other
    /// memory too.
    [[nodiscard]] llvm::SmallVector<const llvm::Value*, 4> own_variables(const llvm::Value* address);
    /// Whether other threads may write to what it points to.
    [[nodiscard]] bool may_be_of_others(const llvm::Value* address);
    void note_store(const llvm::Instruction& store, const llvm::Value* to);
    void need(const llvm::Instruction& what);
    void need_stores_to(const llvm::Value* address);
    void need_reaching(const llvm::BasicBlock& block);
    void follow(const llvm::Instruction& what);
    void note_controlled();
    /// The branches that control the block.
    [[nodiscard]] const branches& deciding_on(const llvm::BasicBlock& block) const;

    llvm::Function& function_;
    condition dead_;
    llvm::PostDominatorTree after_;
    llvm::DenseMap<const llvm::BasicBlock*, branches> deciding_;
    llvm::DenseMap<const llvm::Value*, bool> own_;
    llvm::DenseMap<const llvm::Value*, llvm::SmallVector<const llvm::Instruction*, 4>> stores_;
    llvm::SmallPtrSet<const llvm::Instruction*, 32> needed_;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 32> reached_;
    llvm::SmallVector<const llvm::Instruction*, 64> left_;
};

}  // namespace ordeal::compiler
