// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_short_circuits.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace ordeal::compiler {

namespace {

using namespace llvm;

/// A block that computes a flag out of phis, and branches on it or switches.
class flag_block {
public:
    flag_block(BasicBlock& block, const Loop& loop) : block_(block), loop_(loop), end_(block.getTerminator()) {}

    bool thread() {
        if (!is_simple()) return false;
        bool changed = false;
        const SmallVector<BasicBlock*, 4> before(predecessors(&block_));
        for (BasicBlock* const each : before) {
            auto* const jump = dyn_cast<BranchInst>(each->getTerminator());
            if (jump == nullptr || each == &block_ || is_contained(drop_begin(successors(each)), *succ_begin(each)))
                continue;
            BasicBlock* const next = after(*each);
            if (next == nullptr || next == &block_ || next == loop_.getHeader()) continue;
            go_straight(*jump, *next);
            changed = true;
        }
        if (!changed) return false;
        if (pred_empty(&block_)) {
            DeleteDeadBlock(&block_);
        } else {
            FoldSingleEntryPHINodes(&block_);
            if (auto* const branch = dyn_cast<BranchInst>(end_)) branch_on_comparison(*branch);
        }
        return true;
    }

private:
    static constexpr std::size_t most_computed = 8;

    [[nodiscard]] bool is_simple() const {
        if (flag() == nullptr || block_.phis().empty() || block_.isEHPad() || block_.hasAddressTaken()) return false;
        std::size_t computed = 0;
        for (const Instruction& each : block_) {
            if (isa<PHINode, DbgInfoIntrinsic>(each) || &each == end_) continue;
            if (each.mayHaveSideEffects() || each.mayReadFromMemory() || isa<CallBase, AllocaInst>(each)) return false;
            if (++computed > most_computed) return false;
        }
        return true;
    }

    [[nodiscard]] const Value* flag() const {
        if (const auto* const choice = dyn_cast<SwitchInst>(end_)) return choice->getCondition();
        const auto* const branch = dyn_cast<BranchInst>(end_);
        return branch != nullptr && branch->isConditional() ? branch->getCondition() : nullptr;
    }

    // Where this block goes on to from there; null if that is not known.
    BasicBlock* after(BasicBlock& before) {
        values_.clear();
        const DataLayout& layout = block_.getModule()->getDataLayout();
        for (Instruction& each : block_) {
            if (auto* const phi = dyn_cast<PHINode>(&each)) {
                values_[phi] = phi->getIncomingValueForBlock(&before);
            } else if (!isa<DbgInfoIntrinsic>(each) && &each != end_) {
                SmallVector<Constant*, 2> operands;
                for (const Value* const operand : each.operands()) {
                    if (auto* const known = dyn_cast<Constant>(value_there(operand))) operands.push_back(known);
                }
                if (operands.size() != each.getNumOperands()) continue;
                if (Constant* const result = ConstantFoldInstOperands(&each, operands, layout)) values_[&each] = result;
            }
        }
        auto* const known = dyn_cast<ConstantInt>(value_there(flag()));
        if (known == nullptr) return nullptr;
        if (auto* const choice = dyn_cast<SwitchInst>(end_)) return choice->findCaseValue(known)->getCaseSuccessor();
        return end_->getSuccessor(known->isZero() ? 1 : 0);
    }

    // The value that something has if this block is reached from there.
    Value* value_there(const Value* what) {
        const auto known = values_.find(what);
        return known == values_.end() ? const_cast<Value*>(what) : static_cast<Value*>(known->second);
    }

    // Through a copy of this block that does not branch.
    void go_straight(BranchInst& jump, BasicBlock& next) {
        BasicBlock& before = *jump.getParent();
        BasicBlock* const copy = BasicBlock::Create(block_.getContext(), "ordeal.known", block_.getParent(), &next);
        BranchInst* const end = BranchInst::Create(&next, copy);
        end->setDebugLoc(end_->getDebugLoc());
        for (Instruction& each : block_) {
            if (isa<PHINode, DbgInfoIntrinsic>(each) || &each == end_ || values_.count(&each) != 0) continue;
            Instruction* const made = each.clone();
            made->insertBefore(end->getIterator());
            RemapInstruction(made, values_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
            values_[&each] = made;
        }
        for (PHINode& each : next.phis()) {
            each.addIncoming(value_there(each.getIncomingValueForBlock(&block_)), copy);
        }
        jump.replaceSuccessorWith(&block_, copy);
        block_.removePredecessor(&before, true);
        for (Instruction& each : block_) repair_uses(each, *copy);
    }

    // What is computed here has two places now.
    void repair_uses(Instruction& what, BasicBlock& copy) {
        SmallVector<Use*, 8> outside;
        for (Use& each : what.uses()) {
            const auto* const user = cast<Instruction>(each.getUser());
            const auto* const phi = dyn_cast<PHINode>(user);
            if ((phi == nullptr ? user->getParent() : phi->getIncomingBlock(each)) != &block_) outside.push_back(&each);
        }
        if (outside.empty()) return;
        SSAUpdater updater;
        updater.Initialize(what.getType(), what.getName());
        updater.AddAvailableValue(&block_, &what);
        updater.AddAvailableValue(&copy, value_there(&what));
        for (Use* const each : outside) updater.RewriteUse(*each);
    }

    // Instead of on its negation, or on what was made of it to be stored in a flag.
    static void branch_on_comparison(BranchInst& branch) {
        using namespace PatternMatch;
        for (;;) {
            Value* inner = nullptr;
            Value* const condition = branch.getCondition();
            if (match(condition, m_Not(m_Value(inner)))) {
                branch.setCondition(inner);
                branch.swapSuccessors();
            } else if (match(condition, m_Trunc(m_ZExt(m_Value(inner)))) && inner->getType()->isIntegerTy(1)) {
                branch.setCondition(inner);
            } else {
                return;
            }
        }
    }

    BasicBlock& block_;
    const Loop& loop_;
    Instruction* end_;
    ValueToValueMapTy values_;  // of what is computed here, if it is reached from one predecessor
};

}  // namespace

bool branch_without_flags(Function& function, const LoopInfo& loops) {
    SmallVector<BasicBlock*, 16> all;
    for (BasicBlock& each : function) all.push_back(&each);
    bool changed = false;
    for (BasicBlock* const each : all) {
        const Loop* const loop = loops.getLoopFor(each);
        if (loop != nullptr && loop->getHeader() != each) changed = flag_block(*each, *loop).thread() || changed;
    }
    return changed;
}

}  // namespace ordeal::compiler
