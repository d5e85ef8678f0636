// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_live_instructions.hpp"

#include "clang_accesses.hpp"
#include "clang_lifetimes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace ordeal::compiler {

using namespace llvm;

namespace {

const Function* called_by(const Instruction& what) {
    const auto* const call = dyn_cast<CallBase>(&what);
    return call == nullptr ? nullptr : call->getCalledFunction();
}

}  // namespace

StringRef name_of_called(const Instruction& what) {
    const Function* const function = called_by(what);
    return function == nullptr ? StringRef() : function->getName();
}

bool is_idle(const Instruction& what) {
    const auto* const call = dyn_cast<CallInst>(&what);
    if (call == nullptr || !call->use_empty()) return false;
    if (const auto* const code = dyn_cast<InlineAsm>(call->getCalledOperand())) {
        return call->arg_empty() && StringSwitch<bool>(StringRef(code->getAsmString()).trim())
                                        .Case("pause", true)
                                        .Case("rep; nop", true)
                                        .Case("rep;nop", true)
                                        .Case("rep nop", true)
                                        .Case("nop", true)
                                        .Case("yield", true)
                                        .Default(false);
    }
    const Function* const function = called_by(what);
    if (function == nullptr || !function->isDeclaration()) return false;
    if (function->getIntrinsicID() == Intrinsic::x86_sse2_pause) return true;
    return StringSwitch<bool>(function->getName())
        .Case("sched_yield", true)
        .Case("thrd_yield", true)
        .Case("pthread_yield", true)
        .Default(false);
}

namespace {

bool is_constant(const Value* address) {
    const auto* const variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address));
    return variable != nullptr && variable->isConstant();
}

}  // namespace

bool is_sleep(const Instruction& what) {
    const Function* const function = called_by(what);
    return function != nullptr && function->isDeclaration() &&
           StringSwitch<bool>(function->getName()).Cases("nanosleep", "thrd_sleep", "usleep", true).Default(false);
}

live_instructions::live_instructions(Function& function, condition dead)
    : function_(function), dead_(dead), after_(function) {
    note_controlled();
    for (Instruction& each : instructions(function)) {
        if (const auto* const store = dyn_cast<StoreInst>(&each)) note_store(each, store->getPointerOperand());
        if (const auto* const fill = dyn_cast<MemIntrinsic>(&each)) note_store(each, fill->getDest());
    }
    for (Instruction& each : instructions(function)) {
        if (is_needed_itself(each)) need(each);
    }
    while (!left_.empty()) follow(*left_.pop_back_val());
}

SmallVector<const Instruction*, 4> live_instructions::dead_branches_on(const BasicBlock& block) const {
    SmallVector<const Instruction*, 4> result;
    copy_if(deciding_on(block), std::back_inserter(result),
            [&](const Instruction* branch) { return !needed_.contains(branch); });
    return result;
}

SmallVector<const Value*, 4> live_instructions::own_variables(const Value* address) {
    SmallVector<const Value*, 4> result;
    getUnderlyingObjects(address, result, nullptr, 0);
    const auto is_own = [&](const Value* object) {
        if (!isa<AllocaInst>(object)) return false;
        const auto [known, added] = own_.try_emplace(object, false);
        // Nor does what is dead tell another function of it: for how long it sleeps.
        if (added) known->second = !may_be_captured(*object, [&](const CallBase& call) { return dead_(call); });
        return known->second;
    };
    if (!all_of(result, is_own)) result.clear();
    return result;
}

void live_instructions::note_store(const Instruction& store, const Value* to) {
    for (const Value* const each : own_variables(to)) stores_[each].push_back(&store);
}

bool live_instructions::may_be_of_others(const Value* address) {
    return !is_constant(address) && own_variables(address).empty();
}

// A read of memory that others may access is live in itself: it may be a race. So is a sleep whose duration is
// there.
bool live_instructions::is_needed_itself(const Instruction& what) {
    if (isa<BranchInst, SwitchInst, DbgInfoIntrinsic>(what)) return false;
    if (dead_(what)) {
        const auto& call = cast<CallBase>(what);
        const Value* const first = call.arg_empty() ? nullptr : call.getArgOperand(0);
        return first != nullptr && first->getType()->isPointerTy() && may_be_of_others(first);
    }
    if (const auto* const fill = dyn_cast<MemIntrinsic>(&what)) {
        const auto* const copy = dyn_cast<MemTransferInst>(fill);
        const bool reads = copy != nullptr && may_be_of_others(copy->getSource());
        return fill->isVolatile() || reads || own_variables(fill->getDest()).empty();
    }
    if (const auto* const intrinsic = dyn_cast<IntrinsicInst>(&what)) {
        if (const Value* const ending = lifetime_marked(*intrinsic).object) return own_variables(ending).empty();
        if (intrinsic->isAssumeLikeIntrinsic()) return false;
    }
    if (const auto* const load = dyn_cast<LoadInst>(&what)) {
        const bool is_volatile = load->isVolatile() && !load->hasMetadata(kept);
        return is_volatile || load->isAtomic() || own_variables(load->getPointerOperand()).empty();
    }
    if (const auto* const store = dyn_cast<StoreInst>(&what)) {
        return !store->isUnordered() || store->isVolatile() || own_variables(store->getPointerOperand()).empty();
    }
    return what.isTerminator() || what.isEHPad() || what.mayHaveSideEffects() || what.mayReadFromMemory();
}

void live_instructions::need(const Instruction& what) {
    if (needed_.insert(&what).second) left_.push_back(&what);
}

void live_instructions::need_reaching(const BasicBlock& block) {
    if (!reached_.insert(&block).second) return;
    for (const Instruction* const each : deciding_on(block)) need(*each);
}

void live_instructions::need_stores_to(const Value* address) {
    for (const Value* const variable : own_variables(address)) {
        for (const Instruction* const store : stores_[variable]) need(*store);
    }
}

void live_instructions::follow(const Instruction& what) {
    need_reaching(*what.getParent());
    for (const Value* const each : what.operand_values()) {
        if (const auto* const operand = dyn_cast<Instruction>(each)) need(*operand);
    }
    if (const auto* const load = dyn_cast<LoadInst>(&what)) need_stores_to(load->getPointerOperand());
    if (const auto* const copy = dyn_cast<MemTransferInst>(&what)) need_stores_to(copy->getSource());
    if (const auto* const joined = dyn_cast<PHINode>(&what)) {
        for (const BasicBlock* const each : joined->blocks()) {
            need_reaching(*each);
            need(*each->getTerminator());
        }
    }
}

// A branch controls a block that is reached for certain by one successor, but not by another: what comes after that
// successor for certain, up to what comes after the branch for certain. For all blocks at once, since to look at all
// branches for each block would take long in a large function.
void live_instructions::note_controlled() {
    for (const BasicBlock& each : function_) {
        const Instruction* const branch = each.getTerminator();
        if (branch->getNumSuccessors() < 2) continue;
        for (const BasicBlock* const next : successors(&each)) {
            for (const auto* node = after_.getNode(next); node != nullptr; node = node->getIDom()) {
                const BasicBlock* const block = node->getBlock();
                if (block == nullptr || after_.properlyDominates(block, &each)) break;
                branches& known = deciding_[block];
                if (known.empty() || known.back() != branch) known.push_back(branch);
            }
        }
    }
}

const live_instructions::branches& live_instructions::deciding_on(const BasicBlock& block) const {
    static const branches none;
    const auto found = deciding_.find(&block);
    return found == deciding_.end() ? none : found->second;
}

}  // namespace ordeal::compiler
