// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_counted_loops.hpp"

#include "clang_live_instructions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

namespace ordeal::compiler {

namespace {

using namespace llvm;

// The compare-exchange whose success this condition is, after removing conversions; null if there is none.
const AtomicCmpXchgInst* stored_by(const Value* condition) {
    for (;;) {
        if (isa<ZExtInst, SExtInst, TruncInst>(condition)) {
            condition = cast<CastInst>(condition)->getOperand(0);
        } else if (const auto* const extract = dyn_cast<ExtractValueInst>(condition)) {
            if (extract->getIndices() != ArrayRef<unsigned>{1}) return nullptr;
            return dyn_cast<AtomicCmpXchgInst>(extract->getAggregateOperand());
        } else {
            return nullptr;
        }
    }
}

/// A loop that may be shortened, if it fits the pattern.
class counted_loop {
public:
    counted_loop(Loop& loop, const live_instructions& needed, ScalarEvolution& evolution, const DominatorTree& before)
        : loop_(loop), needed_(needed), evolution_(evolution), before_(before) {}

    void shorten() {
        if (loop_.getLoopLatch() == nullptr || !looks_at_one_atomic() || !finds_counter() || !finds_end()) return;
        IRBuilder<> builder(end_);
        const bool goes_on = loop_.contains(end_->getSuccessor(0));
        Value* const condition = end_->getCondition();
        // How many iterations may pass the end before it is forced: one that does can still leave by another exit.
        int passed = (ends_after_look() ? 0 : 1) + (has_later_exit() ? 1 : 0);
        // The last two iterations decide what is known after the loop of the last one but one.
        if (flag_is_used_outside_) passed = 2;
        if (passed == 0) {
            end_->setCondition(builder.getInt1(!goes_on));
        } else {
            Value* may_pass = note_iteration(builder.getTrue(), builder.getFalse());
            if (passed == 2) may_pass = builder.CreateOr(may_pass, note_iteration(builder.getFalse(), may_pass));
            end_->setCondition(goes_on ? builder.CreateAnd(condition, may_pass)
                                       : builder.CreateOr(condition, builder.CreateNot(may_pass)));
        }
        evolution_.forgetLoop(&loop_);
    }

private:
    // Once in each iteration. An iteration may always be followed by one that reads the same. That is not so with two
    // atomics: the second value read may rule out the first one.
    bool looks_at_one_atomic() {
        for (BasicBlock* const block : loop_.blocks()) {
            for (Instruction& each : *block) {
                if (!needed_.contains(each) || isa<BranchInst, SwitchInst>(each)) continue;
                if (each.isTerminator()) return false;
                if (!each.mayReadOrWriteMemory()) continue;
                if (look_ != nullptr) return false;
                look_ = &each;
            }
        }
        return look_ != nullptr && !repeats_look() && before_.dominates(look_->getParent(), loop_.getLoopLatch()) &&
               (is_load(*look_) || ends_if_stored(*look_)) && loop_.isLoopInvariant(address_of(*look_));
    }

    // Whether an iteration may come to its look again: in an inner loop, or in a cycle with two entries.
    [[nodiscard]] bool repeats_look() const {
        const BasicBlock& look = *look_->getParent();
        return &look != loop_.getHeader() &&
               takes_edge_after(look, [&](const BasicBlock&, const BasicBlock& next) { return &next == &look; });
    }

    // Whether the rest of an iteration, after this block, may take an edge for which this holds.
    template <class Condition>
    [[nodiscard]] bool takes_edge_after(const BasicBlock& block, Condition holds) const {
        SmallVector<const BasicBlock*, 8> left{&block};
        SmallPtrSet<const BasicBlock*, 8> seen{loop_.getHeader(), &block};
        while (!left.empty()) {
            const BasicBlock& each = *left.pop_back_val();
            for (const BasicBlock* const next : successors(&each)) {
                if (holds(each, *next)) return true;
                if (loop_.contains(next) && seen.insert(next).second) left.push_back(next);
            }
        }
        return false;
    }

    static bool is_load(const Instruction& look) {
        const auto* const load = dyn_cast<LoadInst>(&look);
        return load != nullptr && load->isAtomic() && !load->isVolatile();
    }

    // A weak one may also fail when there is nothing to wait for: repeated spurious failures are explored elsewhere.
    bool ends_if_stored(const Instruction& look) const {
        const auto* const exchange = dyn_cast<AtomicCmpXchgInst>(&look);
        if (exchange == nullptr || exchange->isWeak()) return false;
        return any_of(loop_.blocks(), [&](const BasicBlock* block) {
            const auto* const branch = dyn_cast<BranchInst>(block->getTerminator());
            return branch != nullptr && branch->isConditional() && stored_by(branch->getCondition()) == exchange &&
                   !loop_.contains(branch->getSuccessor(0)) && before_.dominates(block, loop_.getLoopLatch());
        });
    }

    static const Value* address_of(const Instruction& look) {
        if (const auto* const load = dyn_cast<LoadInst>(&look)) return stripped(load->getPointerOperand());
        if (const auto* const exchange = dyn_cast<AtomicCmpXchgInst>(&look)) {
            return stripped(exchange->getPointerOperand());
        }
        return nullptr;
    }
    static const Value* stripped(const Value* address) { return address->stripInBoundsConstantOffsets(); }

    // The counter is the only value that an iteration passes to the next, except for flags that exit the loop before
    // the next look: they are the same at each look.
    bool finds_counter() {
        for (PHINode& each : loop_.getHeader()->phis()) {
            if (!needed_.contains(each)) continue;
            if (is_checked_flag(each)) continue;
            if (counter_ != nullptr) return false;
            counter_ = &each;
        }
        if (counter_ == nullptr || !counter_->getType()->isIntegerTy()) return false;
        const auto* const step = dyn_cast<BinaryOperator>(counter_->getIncomingValueForBlock(loop_.getLoopLatch()));
        if (step == nullptr || !loop_.contains(step)) return false;
        if (step->getOpcode() != Instruction::Add && step->getOpcode() != Instruction::Sub) return false;
        if (step->getOperand(0) != counter_ || !isa<ConstantInt>(step->getOperand(1))) return false;
        next_ = step;
        return true;
    }

    // Whether it is used in the loop only to exit it before the look, if at all. It may be used after the loop.
    bool is_checked_flag(const Instruction& flag) {
        SmallVector<const BranchInst*, 2> checks;
        const bool checked = all_of(flag.users(), [&](const User* user) {
            const auto* const each = cast<Instruction>(user);
            if (!needed_.contains(*each)) return true;
            if (!loop_.contains(each)) return flag_is_used_outside_ = true;
            if (const auto* const check = dyn_cast<BranchInst>(each)) {
                checks.push_back(check);
                return exits_before_look(*check);
            }
            return is_made_of_flag(*each) && is_checked_flag(*each);
        });
        if (checked) checks_.append(checks);
        return checked;
    }

    static bool is_made_of_flag(const Instruction& what) {
        if (isa<CastInst>(what)) return true;
        return (isa<ICmpInst>(what) || what.getOpcode() == Instruction::Xor) && isa<Constant>(what.getOperand(1));
    }

    bool exits_before_look(const BranchInst& check) const {
        return check.isConditional() &&
               loop_.contains(check.getSuccessor(0)) != loop_.contains(check.getSuccessor(1)) &&
               check.getParent() != look_->getParent() && before_.dominates(check.getParent(), look_->getParent());
    }

    // The counter's only use is a comparison that is made in every iteration and exits the loop.
    bool finds_end() {
        const auto is_harmless = [&](const User* user) {
            const auto* const each = cast<Instruction>(user);
            return each == counter_ || each == next_ || !needed_.contains(*each) || is_end(*each);
        };
        return all_of(counter_->users(), is_harmless) && all_of(next_->users(), is_harmless) && end_ != nullptr;
    }

    bool is_end(const Instruction& what) {
        const auto* const comparison = dyn_cast<ICmpInst>(&what);
        if (comparison == nullptr || !loop_.contains(comparison)) return false;
        for (const Value* const each : comparison->operands()) {
            if (each != counter_ && each != next_ && !loop_.isLoopInvariant(each)) return false;
        }
        return all_of(comparison->users(), [&](const User* user) {
            const auto* const branch = dyn_cast<BranchInst>(user);
            if (branch == nullptr) return !needed_.contains(*cast<Instruction>(user));
            return ends_loop(const_cast<BranchInst&>(*branch));
        });
    }

    bool ends_loop(BranchInst& branch) {
        if (!loop_.contains(&branch)) return false;
        if (loop_.contains(branch.getSuccessor(0)) == loop_.contains(branch.getSuccessor(1))) return false;
        if (!before_.dominates(branch.getParent(), loop_.getLoopLatch())) return false;
        if (isa<SCEVCouldNotCompute>(evolution_.getExitCount(&loop_, branch.getParent()))) return false;
        if (end_ != nullptr && end_ != &branch) return false;
        end_ = &branch;
        return true;
    }

    [[nodiscard]] bool ends_after_look() const { return before_.dominates(look_->getParent(), end_->getParent()); }

    // Whether the loop may be exited elsewhere between the end and the next look: by a flag that the last look has set,
    // or in the rest of the iteration.
    [[nodiscard]] bool has_later_exit() const {
        const auto is_later = [&](const BranchInst* check) {
            return ends_after_look() || !before_.dominates(check->getParent(), end_->getParent());
        };
        if (any_of(checks_, is_later)) return true;
        const BasicBlock& end = *end_->getParent();
        return ends_after_look() && takes_edge_after(end, [&](const BasicBlock& from, const BasicBlock& next) {
                   return &from != &end && !loop_.contains(&next);
               });
    }

    // A phi: `first` in the first iteration, `later` in all others.
    [[nodiscard]] PHINode* note_iteration(Value* first, Value* later) const {
        BasicBlock& header = *loop_.getHeader();
        PHINode* const result =
            PHINode::Create(Type::getInt1Ty(header.getContext()), 2, "ordeal.iteration", header.begin());
        for (BasicBlock* const each : predecessors(&header)) {
            result->addIncoming(loop_.contains(each) ? later : first, each);
        }
        return result;
    }

    Loop& loop_;
    const live_instructions& needed_;
    ScalarEvolution& evolution_;
    const DominatorTree& before_;
    const Instruction* look_ = nullptr;
    PHINode* counter_ = nullptr;
    const BinaryOperator* next_ = nullptr;
    BranchInst* end_ = nullptr;
    bool flag_is_used_outside_ = false;
    SmallVector<const BranchInst*, 2> checks_;  // of flags
};

}  // namespace

void shorten_counted_loops(Function& function, LoopInfo& loops, ScalarEvolution& evolution,
                           const DominatorTree& before) {
    if (loops.empty()) return;
    std::optional<live_instructions> needed;
    for (Loop* const each : loops.getLoopsInPreorder()) {
        if (!needed) needed.emplace(function);
        counted_loop(*each, *needed, evolution, before).shorten();
    }
}

}  // namespace ordeal::compiler
