// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_back_off.hpp"

#include "clang_live_instructions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

namespace ordeal::compiler {

using namespace llvm;

namespace {

bool is_back_off(const Instruction& what) { return is_idle(what) || (is_sleep(what) && what.use_empty()); }

}  // namespace

void end_sleeps(Function& function) {
    for (Instruction& each : instructions(function)) {
        if (is_sleep(each)) each.replaceAllUsesWith(Constant::getNullValue(each.getType()));
    }
}

bool drop_back_off(Function& function) {
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
        if (needed.depends_on_others(*each->getParent())) each->eraseFromParent();
    }
    return true;
}

}  // namespace ordeal::compiler
