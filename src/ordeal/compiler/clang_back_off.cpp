// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_back_off.hpp"

#include "clang_live_instructions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>

namespace ordeal::compiler {

using namespace llvm;

void drop_back_off(Function& function) {
    SmallVector<Instruction*, 8> idle;
    for (Instruction& each : instructions(function)) {
        if (is_idle(each)) idle.push_back(&each);
    }
    if (idle.empty()) return;
    const live_instructions needed(function);
    for (Instruction* const each : idle) {
        if (needed.depends_on_others(*each->getParent())) each->eraseFromParent();
    }
}

}  // namespace ordeal::compiler
