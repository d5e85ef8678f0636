// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_fences.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace ordeal::compiler {

using namespace llvm;

namespace {

// In namespace std, or in one of its inline version namespaces.
bool is_fence(const Function& function) {
    const StringRef name = function.getName();
    return name.starts_with("_ZSt19atomic_thread_fence") ||
           (name.starts_with("_ZNSt") && name.contains("19atomic_thread_fence"));
}

bool is_relaxed(const CallBase& call) {
    const auto* const order = call.arg_size() == 1 ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
    return order != nullptr && order->isZero();
}

}  // namespace

void keep_relaxed_fences(Module& module) {
    SmallVector<CallBase*, 8> calls;
    for (Function& function : module) {
        if (!is_fence(function)) continue;
        for (User* const user : function.users()) {
            auto* const call = dyn_cast<CallBase>(user);
            if (call != nullptr && call->getCalledFunction() == &function && is_relaxed(*call)) calls.push_back(call);
        }
    }
    if (calls.empty()) return;
    IRBuilder<> builder(module.getContext());
    const FunctionCallee told =
        module.getOrInsertFunction("__tsan_atomic_thread_fence", builder.getVoidTy(), builder.getInt32Ty());
    for (CallBase* const call : calls) {
        builder.SetInsertPoint(call);
        builder.SetCurrentDebugLocation(call->getDebugLoc());
        builder.CreateCall(told, {builder.getInt32(0)});
    }
}

}  // namespace ordeal::compiler
