// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_coroutines.hpp"

#include "clang_live_instructions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace ordeal::compiler {

using namespace llvm;

namespace {

CallInst* call_before(Instruction& where, const DebugLoc& location, StringRef name, Type* result,
                      ArrayRef<Value*> arguments) {
    SmallVector<Type*, 2> types;
    for (const Value* const each : arguments) types.push_back(each->getType());
    const FunctionCallee runtime =
        where.getModule()->getOrInsertFunction(name, FunctionType::get(result, types, false));
    IRBuilder<> builder(&where);
    builder.SetCurrentDebugLocation(location);
    CallInst* const call = builder.CreateCall(runtime, arguments);
    call->setDoesNotThrow();
    return call;
}

/// The suspension points of one coroutine.
class suspensions {
public:
    explicit suspensions(IntrinsicInst& begin) : frame_(begin) {}

    void report() {
        SmallVector<CallInst*, 8> points;
        SmallVector<CallBase*, 4> conditional;
        for (Instruction& each : instructions(*frame_.getFunction())) {
            if (name_of_called(each) == "llvm.coro.suspend") points.push_back(cast<CallInst>(&each));
            if (name_of_called(each) == "llvm.coro.await.suspend.bool") conditional.push_back(cast<CallBase>(&each));
        }
        for (CallBase* const each : conditional) report_condition(*each);
        for (CallInst* const each : points) report_point(*each);
        call_before(*frame_.getNextNode(), frame_.getDebugLoc(), "__ordeal_coroutine_begins", void_type(), {&frame_});
    }

private:
    [[nodiscard]] Type* void_type() const { return Type::getVoidTy(frame_.getContext()); }

    /// A coroutine is suspended when await_suspend() is called, which may hand it to another thread.
    CallInst* report_suspension(Instruction& save) {
        for (Instruction* each = save.getPrevNode(); each != nullptr; each = each->getPrevNode()) {
            if (name_of_called(*each) == "__ordeal_coroutine_suspends") return cast<CallInst>(each);
            if (!isa<DbgInfoIntrinsic>(each)) break;
        }
        return call_before(save, save.getDebugLoc(), "__ordeal_coroutine_suspends", Type::getInt64Ty(save.getContext()),
                           {&frame_});
    }

    void report_point(CallInst& point) {
        auto* const save = dyn_cast<Instruction>(point.getArgOperand(0));
        report_suspension(save == nullptr ? point : *save);
        for (User* const each : point.users()) {
            auto* const choice = dyn_cast<SwitchInst>(each);
            if (choice == nullptr) continue;
            const auto resumed = choice->findCaseValue(ConstantInt::get(cast<IntegerType>(point.getType()), 0));
            if (resumed == choice->case_default()) continue;
            BasicBlock* const edge = SplitEdge(choice->getParent(), resumed->getCaseSuccessor());
            call_before(*edge->getTerminator(), point.getDebugLoc(), "__ordeal_coroutine_resumed", void_type(),
                        {&frame_});
        }
    }

    /// An await_suspend() that returns false resumes the coroutine itself.
    void report_condition(CallBase& condition) {
        Instruction* save = condition.getPrevNode();
        while (save != nullptr && name_of_called(*save) != "llvm.coro.save") save = save->getPrevNode();
        if (save == nullptr) return;
        CallInst* const suspension = report_suspension(*save);
        for (User* const each : condition.users()) {
            auto* const choice = dyn_cast<BranchInst>(each);
            if (choice == nullptr || !choice->isConditional()) continue;
            BasicBlock* const edge = SplitEdge(choice->getParent(), choice->getSuccessor(1));
            call_before(*edge->getTerminator(), condition.getDebugLoc(), "__ordeal_coroutine_continues", void_type(),
                        {&frame_, suspension});
        }
    }

    IntrinsicInst& frame_;
};

// The function that a coroutine calls for its await_suspend() returns the handle of which it resumes the coroutine.
void report_transfers(CallBase& suspension) {
    constexpr unsigned called = 2;
    auto* const function = dyn_cast<Function>(suspension.getArgOperand(called)->stripPointerCasts());
    if (function == nullptr) return;
    for (BasicBlock& each : *function) {
        auto* const end = dyn_cast<ReturnInst>(each.getTerminator());
        if (end == nullptr || end->getReturnValue() == nullptr) continue;
        call_before(*end, end->getDebugLoc(), "__ordeal_handle_resumes", Type::getVoidTy(end->getContext()),
                    {end->getReturnValue()});
    }
}

void report_uses_of_handles(Function& function) {
    SmallVector<std::pair<CallBase*, StringRef>, 8> uses;
    for (Instruction& each : instructions(function)) {
        if (name_of_called(each) == "llvm.coro.await.suspend.handle") report_transfers(cast<CallBase>(each));
        for (const auto& [intrinsic, name] : {std::pair<StringRef, StringRef>{"llvm.coro.resume", "resumes"},
                                              {"llvm.coro.destroy", "destroys"},
                                              {"llvm.coro.done", "asks"}}) {
            if (name_of_called(each) == intrinsic) uses.emplace_back(cast<CallBase>(&each), name);
        }
    }
    for (const auto& [use, name] : uses) {
        call_before(*use, use->getDebugLoc(), ("__ordeal_handle_" + name).str(), Type::getVoidTy(use->getContext()),
                    {use->getArgOperand(0)});
    }
}

}  // namespace

void report_coroutines(Module& module) {
    for (Function& each : module) {
        report_uses_of_handles(each);
        if (!each.isPresplitCoroutine()) continue;
        const auto begin = find_if(instructions(each),
                                   [](const Instruction& what) { return name_of_called(what) == "llvm.coro.begin"; });
        if (begin != inst_end(each)) suspensions(cast<IntrinsicInst>(*begin)).report();
    }
}

}  // namespace ordeal::compiler
