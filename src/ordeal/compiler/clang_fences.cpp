// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_fences.hpp"

#include "clang_accesses.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/Twine.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <array>
#include <optional>
#include <tuple>

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

// ---- Assembler ----

constexpr StringRef rest = "ordeal.rest_of_fence";

// As the runtime of ThreadSanitizer numbers them.
constexpr int acquire = 2;
constexpr int seq_cst = 5;

struct instruction {
    StringRef mnemonic;  // in any case
    StringRef operands;
    bool locked = false;
};

// What assembler consists of if that is one instruction, after `lock` or not.
std::optional<instruction> only_instruction(StringRef assembler) {
    SmallVector<StringRef, 4> parts;
    SplitString(assembler, parts, "\n;");
    for (StringRef& each : parts) each = each.trim();
    erase_if(parts, [](StringRef each) { return each.empty(); });
    instruction result;
    if (parts.size() == 2 && parts.front().equals_insensitive("lock")) {
        result.locked = true;
        parts.erase(parts.begin());
    }
    if (parts.size() != 1) return std::nullopt;
    std::tie(result.mnemonic, result.operands) = parts.front().split(' ');
    if (!result.locked && result.mnemonic.equals_insensitive("lock")) {
        result.locked = true;
        std::tie(result.mnemonic, result.operands) = result.operands.trim().split(' ');
    }
    result.operands = result.operands.trim();
    if (result.mnemonic.empty() || !all_of(result.mnemonic, isAlpha)) return std::nullopt;
    return result;
}

std::optional<int> order_of_fence(const instruction& what) {
    const auto is = [&](StringRef mnemonic, StringRef operands) {
        return what.mnemonic.equals_insensitive(mnemonic) && what.operands.equals_insensitive(operands);
    };
    if (what.locked) return std::nullopt;
    if (is("mfence", "") || is("dmb", "ish") || is("dmb", "sy")) return seq_cst;
    if (is("dmb", "ishld")) return acquire;
    return std::nullopt;
}

// "addl $0,0(%rsp)", as LLVM writes it: leaves what others may know of the stack as it is.
bool changes_nothing_at_stack_pointer(const instruction& what) {
    const auto is_it = [&](StringRef each) { return what.mnemonic.starts_with_insensitive(each); };
    if (none_of(std::array<StringRef, 4>{"add", "sub", "or", "xor"}, is_it)) return false;
    StringRef place = what.operands;
    if (!place.consume_front("$$0")) return false;
    place = place.ltrim();
    if (!place.consume_front(",")) return false;
    place = place.trim();
    if (!place.consume_back("(%rsp)") && !place.consume_back("(%esp)")) return false;
    place.consume_front("-");
    return all_of(place, isDigit);
}

// Whether the assembler's operands are a variable of which nobody else has the address, and numbers.
bool is_on_own_variable(const CallBase& call, const instruction& what) {
    SmallVector<StringRef, 4> operands;
    what.operands.split(operands, ',');
    const auto is_simple = [](StringRef each) {
        each = each.trim();
        return each.consume_front("$") && !each.empty() &&
               all_of(each, [](char letter) { return isAlnum(letter) || StringRef("${:}").contains(letter); });
    };
    if (call.arg_empty() || !all_of(operands, is_simple)) return false;
    const auto* const variable = dyn_cast<AllocaInst>(call.getArgOperand(0));
    const auto is_it = [&](const Use& each) { return each.get() == variable; };
    return variable != nullptr && all_of(call.args(), is_it) &&
           !may_be_captured(*variable, [&](const CallBase& each) { return &each == &call; });
}

void put_fence(Instruction& before, int order) {
    IRBuilder<> builder(&before);
    Module& module = *before.getModule();
    Type* const none = builder.getVoidTy();
    builder.CreateCall(module.getOrInsertFunction("__ordeal_fence_of_assembler", none));
    builder.CreateCall(module.getOrInsertFunction("__tsan_atomic_thread_fence", none, builder.getInt32Ty()),
                       {builder.getInt32(static_cast<std::uint32_t>(order))});
}

void replace_if_fence(CallBase& call) {
    const auto& code = *cast<InlineAsm>(call.getCalledOperand());
    if (!isa<CallInst>(call) || !call.use_empty() || !StringRef(code.getConstraintString()).contains("~{memory}"))
        return;
    const std::optional<instruction> what = only_instruction(code.getAsmString());
    if (!what) return;
    const std::optional<int> order = order_of_fence(*what);
    if (order || (what->locked && changes_nothing_at_stack_pointer(*what))) {
        put_fence(call, order.value_or(seq_cst));
        call.eraseFromParent();
    } else if (what->locked && is_on_own_variable(call, *what)) {
        put_fence(call, seq_cst);
        call.setCalledOperand(InlineAsm::get(code.getFunctionType(), (what->mnemonic + " " + what->operands).str(),
                                             code.getConstraintString(), code.hasSideEffects(), code.isAlignStack(),
                                             code.getDialect(), code.canThrow()));
        call.setMetadata(rest, MDNode::get(call.getContext(), {}));
    }
}

}  // namespace

void replace_fences_of_assembler(Module& module) {
    SmallVector<CallBase*, 8> calls;
    for (Function& function : module) {
        if (function.hasFnAttribute(Attribute::Naked)) continue;
        for (Instruction& each : instructions(function)) {
            auto* const call = dyn_cast<CallBase>(&each);
            if (call == nullptr) continue;
            const auto* const intrinsic = dyn_cast<IntrinsicInst>(call);
            const bool is_fence = intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::x86_sse2_mfence;
            if (is_fence || call->isInlineAsm()) calls.push_back(call);
        }
    }
    for (CallBase* const each : calls) {
        if (each->isInlineAsm()) {
            replace_if_fence(*each);
        } else {
            put_fence(*each, seq_cst);
            each->eraseFromParent();
        }
    }
}

bool is_rest_of_fence(const CallBase& assembler) { return assembler.hasMetadata(rest); }

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
