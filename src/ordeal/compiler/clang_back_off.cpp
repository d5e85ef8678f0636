// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_back_off.hpp"

#include "clang_live_instructions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

namespace ordeal::compiler {

using namespace llvm;

namespace {

bool is_back_off(const Instruction& what) { return is_idle(what) || (is_sleep(what) && what.use_empty()); }

// Whether the branch may go another way in each iteration of its loop.
bool varies(const LoopInfo& loops, const Instruction& branch) {
    const Loop* const loop = loops.getLoopFor(branch.getParent());
    if (loop == nullptr) return false;
    SmallPtrSet<const Instruction*, 16> known{&branch};
    SmallVector<const Instruction*, 16> left{&branch};
    while (!left.empty()) {
        const Instruction& each = *left.pop_back_val();
        if (isa<PHINode>(each) || each.mayReadFromMemory()) return true;
        for (const Value* const operand : each.operand_values()) {
            const auto* const needed = dyn_cast<Instruction>(operand);
            if (needed != nullptr && loop->contains(needed) && known.insert(needed).second) left.push_back(needed);
        }
    }
    return false;
}

}  // namespace

void fold_sleep_results(Function& function) {
    for (Instruction& each : instructions(function)) {
        if (is_sleep(each)) each.replaceAllUsesWith(Constant::getNullValue(each.getType()));
    }
}

bool drop_back_off(Function& function, const LoopInfo& loops) {
    // Only the cancellation of its thread could unwind from a sleep, and the model has none.
    for (BasicBlock& each : function) {
        auto* const invocation = dyn_cast<InvokeInst>(each.getTerminator());
        if (invocation != nullptr && is_back_off(*invocation)) changeToCall(invocation);
    }
    SmallVector<Instruction*, 8> idle;
    for (Instruction& each : instructions(function)) {
        if (is_back_off(each)) idle.push_back(&each);
    }
    if (idle.empty()) return false;
    const live_instructions needed(function, is_back_off);
    for (Instruction* const each : idle) {
        // What decides on a pause or a yield is not live at the headers of loops: if one stayed, an inner loop that
        // counts would seem endless. Before each sleep the library asks whether its duration is positive.
        const auto decides = [&](const Instruction* branch) { return is_idle(*each) || varies(loops, *branch); };
        if (any_of(needed.dead_branches_on(*each->getParent()), decides)) each->eraseFromParent();
    }
    return true;
}

}  // namespace ordeal::compiler
