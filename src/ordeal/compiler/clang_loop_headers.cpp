// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_loop_headers.hpp"

#include "clang_accesses.hpp"
#include "clang_lifetimes.hpp"
#include "clang_live_instructions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>

namespace ordeal::compiler {

namespace {

using namespace llvm;

bool calls_runtime(const Instruction& what) {
    const StringRef name = name_of_called(what);
    return name.starts_with("__tsan_") || name.starts_with("__ordeal_");
}

bool calls_other_code(const Instruction& what) {
    return isa<CallBase>(what) && !isa<IntrinsicInst>(what) && !calls_runtime(what) &&
           !cast<CallBase>(what).isInlineAsm();
}

bool is_write_of_memory(const Instruction& what) {
    const StringRef name = name_of_called(what);
    return (name.starts_with("__tsan_") && (name.contains("write") || name.contains("mem") || name.contains("vptr"))) ||
           name.starts_with("__ordeal_copied_write") || name.starts_with("__ordeal_masked_write") ||
           name.starts_with("__ordeal_end_of") || name.starts_with("__ordeal_carried_over");
}

/// Which variables of a function are live at the headers of loops.
///
/// The address of an unshared variable is known to no other function: it is live where a live instruction may read
/// what it holds before it is written as a whole. Any other one is live from its first use to the end of its scope or,
/// if its address was only passed on to calls, to the end of the object's lifetime.
class live_variables {
public:
    live_variables(Function& function, const live_instructions& live) : live_(live) {
        for (Instruction& each : instructions(function)) {
            if (auto* const variable = dyn_cast<AllocaInst>(&each)) add(*variable);
        }
        for (variable& each : variables_) {
            if (each.shared) {
                flow_forward(each);
            } else {
                flow_backward(each);
            }
        }
    }

    [[nodiscard]] bool can_be_told() const noexcept { return !some_dynamic_; }
    [[nodiscard]] SmallVector<std::pair<AllocaInst*, std::uint64_t>, 8> at(const BasicBlock& header) const {
        SmallVector<std::pair<AllocaInst*, std::uint64_t>, 8> result;
        for (const variable& each : variables_) {
            if (each.live_at.contains(&header)) result.push_back({each.where, each.size});
        }
        return result;
    }

private:
    enum class effect : std::uint8_t { none, use, end };

    struct variable {
        AllocaInst* where = nullptr;
        std::uint64_t size = 0;
        bool shared = false;   ///< other functions may know its address
        bool escapes = false;  ///< its address is in memory
        SmallDenseMap<const Instruction*, effect, 8> effects;
        SmallPtrSet<const BasicBlock*, 16> live_at;  ///< blocks at whose beginning it is live
    };

    void add(AllocaInst& what) {
        const std::optional<TypeSize> size = what.getAllocationSize(what.getDataLayout());
        if (!what.isStaticAlloca() || !size || size->isScalable()) {
            some_dynamic_ = true;
            return;
        }
        if (size->isZero()) return;
        variable added;
        added.where = &what;
        added.size = size->getFixedValue();
        note_uses(added, what);
        variables_.push_back(std::move(added));
    }

    // Follows the addresses that are made of it.
    void note_uses(variable& to, AllocaInst& what) {
        SmallVector<const Value*, 16> left{&what};
        SmallPtrSet<const Value*, 16> seen;
        while (!left.empty()) {
            const Value* const address = left.pop_back_val();
            if (!seen.insert(address).second) continue;
            for (const Use& each : address->uses()) {
                const auto* const user = dyn_cast<Instruction>(each.getUser());
                if (user == nullptr) {
                    to.shared = to.escapes = true;
                    continue;
                }
                if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst, PHINode, SelectInst>(user)) {
                    left.push_back(user);
                    continue;
                }
                note_use(to, each, *user);
            }
        }
    }

    void note_use(variable& to, const Use& use, const Instruction& user) {
        effect& known = to.effects.try_emplace(&user, effect::none).first->second;
        if (const auto* const store = dyn_cast<StoreInst>(&user)) {
            if (store->getValueOperand() == use.get()) return note_stored_address(to, *store, known);
            // A store of a part leaves the rest as it was.
            const bool whole = store->getPointerOperand() == to.where &&
                               user.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType()) == to.size;
            if (whole && known == effect::none) known = effect::end;
            return;
        }
        if (isa<LoadInst>(user)) {
            if (live_.contains(user)) known = effect::use;
            return;
        }
        if (const auto* const intrinsic = dyn_cast<IntrinsicInst>(&user)) return note_intrinsic(to, *intrinsic, known);
        if (const auto* const call = dyn_cast<CallBase>(&user); call != nullptr && ended_size(*call) != 0) {
            const bool whole = use.get() == to.where && ended_size(*call) == to.size;
            if (whole && !is_storage(*to.where->getAllocatedType())) {
                known = effect::end;
            } else if (!calls_runtime(user)) {
                known = effect::use;
            }
            to.shared = true;
            return;
        }
        to.shared = true;  // its accesses are told, or another function has its address
        if (calls_runtime(user)) return;
        known = effect::use;
        const bool is_atomic = user.isAtomic() && getPointerOperand(&user) == use.get();
        if (!isa<CallBase, CmpInst>(user) && !is_atomic) to.escapes = true;
    }

    /// The size of an object whose lifetime the call ends; 0: it does something else.
    static std::uint64_t ended_size(const CallBase& call) {
        if (name_of_called(call) != "__ordeal_end_of_life") return destroyed_size(call);
        const auto* const size = dyn_cast<ConstantInt>(call.getArgOperand(1));
        return size == nullptr ? 0 : size->getZExtValue();
    }

    // Bytes in which one object after another may live.
    static bool is_storage(const Type& type) {
        if (const auto* const one = dyn_cast<StructType>(&type)) {
            return one->getNumElements() == 1 && is_storage(*one->getElementType(0));
        }
        return isa<ArrayType>(type);
    }

    // An object that holds its own address is known to nobody else by that.
    void note_stored_address(variable& to, const StoreInst& store, effect& known) {
        known = effect::use;
        to.shared = true;
        if (getUnderlyingObject(store.getPointerOperand(), 0) != to.where) to.escapes = true;
    }

    static void note_intrinsic(variable& to, const IntrinsicInst& what, effect& known) {
        if (what.isLifetimeStartOrEnd()) {
            known = effect::end;
        } else if (isa<MemTransferInst>(what)) {
            if (getUnderlyingObject(cast<MemTransferInst>(what).getRawSource(), 0) == to.where) known = effect::use;
        } else if (!isa<MemSetInst>(what) && !what.isAssumeLikeIntrinsic()) {
            known = effect::use;
            to.shared = to.escapes = true;
        }
    }

    static effect effect_of(const variable& on, const Instruction& each) {
        const auto found = on.effects.find(&each);
        if (found == on.effects.end()) return effect::none;
        // Through its address others may still use what they think lives there.
        const bool ends_object = found->second == effect::end && !isa<IntrinsicInst>(each);
        return ends_object && on.shared && (on.escapes || isa<StoreInst>(each)) ? effect::use : found->second;
    }

    using deciding = SmallDenseMap<const BasicBlock*, const Instruction*, 8>;

    // What decides in each block that has such an instruction: the last one of them, or the first. Few blocks have any:
    // to go through all instructions for each variable would take a third of the time that a large function takes.
    template <class Decides>
    static deciding deciding_in(const variable& on, bool last, const Decides& decides) {
        deciding result;
        for (const auto& [what, how] : on.effects) {
            if (!decides(*what, how)) continue;
            const Instruction*& known = result[what->getParent()];
            if (known == nullptr || known->comesBefore(what) == last) known = what;
        }
        return result;
    }

    static void flow_forward(variable& each) {
        const deciding last = deciding_in(each, true, [&](const Instruction& what, effect /*how*/) {
            return isa<StoreInst>(what) || effect_of(each, what) != effect::none;
        });
        const auto leaves = [&](const BasicBlock& block) {
            const auto found = last.find(&block);
            return found == last.end() ? each.live_at.contains(&block) : effect_of(each, *found->second) != effect::end;
        };
        SmallVector<const BasicBlock*, 16> left;
        for (const auto& [block, what] : last) left.push_back(block);
        while (!left.empty()) {
            const BasicBlock* const block = left.pop_back_val();
            if (!leaves(*block)) continue;
            for (const BasicBlock* const next : successors(block)) {
                if (each.live_at.insert(next).second) left.push_back(next);
            }
        }
    }

    static void flow_backward(variable& each) {
        const deciding first =
            deciding_in(each, false, [](const Instruction& /*what*/, effect how) { return how != effect::none; });
        SmallPtrSet<const BasicBlock*, 16> live_at_end;
        SmallVector<const BasicBlock*, 16> left;
        for (const auto& [block, what] : first) left.push_back(block);
        while (!left.empty()) {
            const BasicBlock* const block = left.pop_back_val();
            const auto found = first.find(block);
            const bool live =
                found == first.end() ? live_at_end.contains(block) : each.effects.lookup(found->second) == effect::use;
            if (!live || !each.live_at.insert(block).second) continue;
            for (const BasicBlock* const before : predecessors(block)) {
                if (live_at_end.insert(before).second) left.push_back(before);
            }
        }
    }

    const live_instructions& live_;
    SmallVector<variable, 16> variables_;
    bool some_dynamic_ = false;
};

/// The headers of the loops of one function.
class loop_headers {
public:
    loop_headers(Function& function, const live_instructions& live, const DominatorTree& before)
        : function_(function),
          live_(live),
          before_(before),
          variables_(function, live),
          number_(Type::getInt64Ty(function.getContext())) {}

    [[nodiscard]] bool can_be_told() const noexcept { return variables_.can_be_told(); }

    void mark(const Loop& loop) {
        BasicBlock& header = *loop.getHeader();
        if (header.isEHPad() || counts(loop)) return;
        const SmallVector<Value*, 16> values = live_values(loop);
        if (any_of(values, [&](const Value* each) { return words_of(*each->getType()) == 0; })) return;
        const auto variables = variables_.at(header);
        IRBuilder<> builder(&*header.getFirstInsertionPt());
        builder.SetCurrentDebugLocation(location());

        std::uint64_t words = 1 + variables.size() * 2;
        for (const Value* const each : values) words += words_of(*each->getType());
        AllocaInst* const state =
            IRBuilder<>(&*function_.getEntryBlock().begin()).CreateAlloca(ArrayType::get(number_, words));
        state->setAlignment(Align(16));
        note_entries(loop, *state);
        std::uint64_t word = 1;
        const auto slot = [&] { return builder.CreateConstInBoundsGEP1_64(number_, state, word); };
        for (Value* const each : values) {
            const std::uint64_t size = words_of(*each->getType());
            for (std::uint64_t i = 0; i < size; ++i) {
                builder.CreateStore(builder.getInt64(0), builder.CreateConstInBoundsGEP1_64(number_, state, word + i));
            }
            builder.CreateAlignedStore(each, slot(), Align(8));
            word += size;
        }
        for (const auto& [variable, size] : variables) {
            builder.CreateStore(builder.CreatePtrToInt(variable, number_), slot());
            ++word;
            builder.CreateStore(builder.getInt64(size), slot());
            ++word;
        }
        Value* const frame =
            builder.CreateIntrinsic(Intrinsic::frameaddress, {builder.getPtrTy()}, {builder.getInt32(0)});
        const FunctionCallee told =
            function_.getParent()->getOrInsertFunction("__ordeal_loop_header", builder.getVoidTy(), builder.getInt1Ty(),
                                                       builder.getPtrTy(), builder.getPtrTy(), number_, number_);
        builder
            .CreateCall(told, {builder.getInt1(changes_memory(loop)), frame, state,
                               builder.getInt64(word - 1 - variables.size() * 2), builder.getInt64(variables.size())})
            ->setDoesNotThrow();
        // What is left in the frame would tell iterations apart where whole frames are compared.
        for (std::uint64_t i = 0; i < word; ++i) {
            builder.CreateStore(builder.getInt64(0), builder.CreateConstInBoundsGEP1_64(number_, state, i));
        }
    }

    /// Whether a thread may wait in it for others.
    [[nodiscard]] static bool may_wait(const Loop& loop) {
        return any_of(loop.blocks(), [](const BasicBlock* block) {
            return any_of(*block, [](const Instruction& each) {
                return (each.isAtomic() && each.mayReadFromMemory() && !isa<FenceInst>(each)) || calls_other_code(each);
            });
        });
    }

private:
    // No iteration begins in the state of an earlier one: a live value, or without optimisation a live variable, is one
    // more or less each time.
    [[nodiscard]] bool counts(const Loop& loop) const {
        const BasicBlock& header = *loop.getHeader();
        return any_of(header.phis(), [&](const PHINode& each) { return live_.contains(each) && counts(loop, each); }) ||
               any_of(variables_.at(header), [&](const auto& each) { return counts(loop, *each.first); });
    }
    [[nodiscard]] static bool counts(const Loop& loop, const PHINode& value) {
        return all_of(value.blocks(), [&](const BasicBlock* from) {
            return !loop.contains(from) || added_to(value.getIncomingValueForBlock(from)) == &value;
        });
    }
    [[nodiscard]] bool counts(const Loop& loop, const AllocaInst& variable) const {
        const StoreInst* only = nullptr;
        for (const User* const each : variable.users()) {
            const auto* const user = cast<Instruction>(each);
            const auto* const store = dyn_cast<StoreInst>(user);
            if (isa<LoadInst>(user) || !loop.contains(user)) continue;
            if (store == nullptr || store->getValueOperand() == &variable || only != nullptr) return false;
            only = store;
        }
        if (only == nullptr) return false;
        const auto* const before = dyn_cast_or_null<LoadInst>(added_to(only->getValueOperand()));
        SmallVector<BasicBlock*, 4> latches;
        loop.getLoopLatches(latches);
        return before != nullptr && before->getPointerOperand() == &variable && loop.contains(before) &&
               all_of(latches, [&](const BasicBlock* each) { return before_.dominates(only->getParent(), each); });
    }
    /// What a number is added to to give this; null: it is something else.
    [[nodiscard]] static const Value* added_to(const Value* sum) {
        const auto* const step = dyn_cast<BinaryOperator>(sum);
        if (step == nullptr) return nullptr;
        const auto* const by = dyn_cast<ConstantInt>(step->getOperand(1));
        const bool adds = step->getOpcode() == Instruction::Add || step->getOpcode() == Instruction::Sub;
        return by != nullptr && !by->isZero() && adds ? step->getOperand(0) : nullptr;
    }

    // Those that are joined at the header, and those from before the loop that something after the header may use. What
    // is computed in the loop is computed again before it is used.
    [[nodiscard]] SmallVector<Value*, 16> live_values(const Loop& loop) const {
        BasicBlock& header = *loop.getHeader();
        SmallVector<Value*, 16> result;
        for (PHINode& each : header.phis()) {
            if (live_.contains(each)) result.push_back(&each);
        }
        const SmallPtrSet<const BasicBlock*, 32> after = reachable_from(header);
        for (Argument& each : function_.args()) {
            if (is_used_in(after, each)) result.push_back(&each);
        }
        for (Instruction& each : instructions(function_)) {
            const bool before = !loop.contains(&each) && before_.dominates(each.getParent(), &header);
            if (before && live_.contains(each) && !isa<AllocaInst>(each) && is_used_in(after, each)) {
                result.push_back(&each);
            }
        }
        return result;
    }
    [[nodiscard]] static SmallPtrSet<const BasicBlock*, 32> reachable_from(const BasicBlock& first) {
        SmallPtrSet<const BasicBlock*, 32> result{&first};
        SmallVector<const BasicBlock*, 16> left{&first};
        while (!left.empty()) {
            for (const BasicBlock* const next : successors(left.pop_back_val())) {
                if (result.insert(next).second) left.push_back(next);
            }
        }
        return result;
    }
    [[nodiscard]] bool is_used_in(const SmallPtrSet<const BasicBlock*, 32>& blocks, const Value& what) const {
        return any_of(what.uses(), [&](const Use& each) {
            const auto& user = *cast<Instruction>(each.getUser());
            const auto* const joined = dyn_cast<PHINode>(&user);
            return live_.contains(user) &&
                   blocks.contains(joined != nullptr ? joined->getIncomingBlock(each) : user.getParent());
        });
    }

    /// 0: its size is not known.
    [[nodiscard]] std::uint64_t words_of(Type& type) const {
        constexpr std::uint64_t word = 8;
        if (!type.isSized()) return 0;
        const TypeSize size = function_.getDataLayout().getTypeStoreSize(&type);
        return size.isScalable() ? 0 : (size.getFixedValue() + word - 1) / word;
    }

    [[nodiscard]] static bool changes_memory(const Loop& loop) {
        return any_of(loop.blocks(), [](const BasicBlock* block) {
            return any_of(*block, [](const Instruction& each) {
                return calls_other_code(each) || is_write_of_memory(each) || isa<MemIntrinsic>(each);
            });
        });
    }

    // In memory: a value in a register would stay there, and tell the first iteration from others where registers are
    // compared.
    void note_entries(const Loop& loop, AllocaInst& state) const {
        SmallPtrSet<BasicBlock*, 4> entering;
        for (BasicBlock* const each : predecessors(loop.getHeader())) {
            if (!loop.contains(each)) entering.insert(each);
        }
        for (BasicBlock* const each : entering) {
            IRBuilder<> builder(each->getTerminator());
            builder.CreateStore(builder.getInt64(1), &state);
        }
    }

    // A call needs a source location if its function has debug information.
    [[nodiscard]] DebugLoc location() const {
        DISubprogram* const scope = function_.getSubprogram();
        if (scope == nullptr) return {};
        return DILocation::get(function_.getContext(), scope->getLine(), 0, scope);
    }

    Function& function_;
    const live_instructions& live_;
    const DominatorTree& before_;
    live_variables variables_;
    Type* number_;
};

}  // namespace

void mark_loop_headers(Function& function, const LoopInfo& loops, const DominatorTree& before) {
    if (function.hasFnAttribute(Attribute::Naked) || function.isPresplitCoroutine()) return;
    SmallVector<const Loop*, 8> waiting;
    for (const Loop* const each : loops.getLoopsInPreorder()) {
        if (loop_headers::may_wait(*each)) waiting.push_back(each);
    }
    if (waiting.empty()) return;
    if (function.callsFunctionThatReturnsTwice()) return;
    const live_instructions live(function);
    loop_headers headers(function, live, before);
    if (!headers.can_be_told()) return;
    for (const Loop* const each : waiting) headers.mark(*each);
}

}  // namespace ordeal::compiler
