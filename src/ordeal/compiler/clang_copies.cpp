// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_copies.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace ordeal::compiler {

using namespace llvm;

namespace {

constexpr StringRef reads_value = "ordeal.reads_value";
constexpr std::uint64_t bits_for_bytes = 16;  // of a word; above them is the address of the first byte

bool is_typed(const LoadInst& load) { return load.hasMetadata(LLVMContext::MD_tbaa); }

// A tag that may alias any type: char, and members of unions.
bool may_be_any_type(const MDNode& tag) {
    if (tag.getNumOperands() < 2) return false;
    const auto* const type = dyn_cast<MDNode>(tag.getOperand(1));
    if (type == nullptr || type->getNumOperands() == 0) return false;
    const auto* const name = dyn_cast<MDString>(type->getOperand(0));
    return name != nullptr && name->getString() == "omnipotent char";
}

bool wants_a_value(const CallBase& call, const Use& argument) {
    return call.isArgOperand(&argument) && call.paramHasAttr(call.getArgOperandNo(&argument), Attribute::NoUndef);
}

bool returns_a_value(const Function& function) { return function.hasRetAttribute(Attribute::NoUndef); }

// Classes are passed in registers as integers that the source does not have.
bool is_passed_as_bytes(const LoadInst& load) {
    return any_of(load.uses(), [](const Use& use) {
        const User* const user = use.getUser();
        if (const auto* const call = dyn_cast<CallBase>(user)) return !wants_a_value(*call, use);
        if (const auto* const end = dyn_cast<ReturnInst>(user)) return !returns_a_value(*end->getFunction());
        return isa<InsertValueInst>(user);
    });
}

bool is_of_a_value(const LoadInst& load, bool typed) {
    if (const MDNode* const tag = load.getMetadata(LLVMContext::MD_tbaa)) return !may_be_any_type(*tag);
    return !typed && !load.getType()->isIntegerTy(8) && !is_passed_as_bytes(load);
}

}  // namespace

void mark_reads_of_values(Module& module) {
    bool typed = false;
    for (Function& function : module) {
        typed = typed || any_of(instructions(function), [](const Instruction& each) {
                    const auto* const load = dyn_cast<LoadInst>(&each);
                    return load != nullptr && is_typed(*load);
                });
    }
    MDNode* const mark = MDNode::get(module.getContext(), {});
    for (Function& function : module) {
        for (Instruction& each : instructions(function)) {
            auto* const load = dyn_cast<LoadInst>(&each);
            if (load != nullptr && is_of_a_value(*load, typed)) load->setMetadata(reads_value, mark);
        }
    }
}

bool reads_a_value(const LoadInst& load) { return load.hasMetadata(reads_value); }

namespace {

std::uint64_t size_of(const Value& value, const Instruction& in) {
    return in.getDataLayout().getTypeStoreSize(value.getType()).getKnownMinValue();
}

bool shifts_by_bytes(const Instruction& what) {
    if (what.getOpcode() != Instruction::LShr) return false;
    const auto* const distance = dyn_cast<ConstantInt>(what.getOperand(1));
    return distance != nullptr && distance->getZExtValue() % 8 == 0 && what.getType()->getIntegerBitWidth() <= 128;
}

bool is_same_value(const Instruction& what) {
    if (isa<FreezeInst>(what)) return true;
    if (!isa<BitCastInst, IntToPtrInst, PtrToIntInst>(what)) return false;
    return size_of(what, what) == size_of(*what.getOperand(0), what);
}

bool is_part_of_value(const Instruction& what) {
    return shifts_by_bytes(what) ||
           (isa<TruncInst>(what) && what.getType()->isIntegerTy() && what.getType()->getIntegerBitWidth() % 8 == 0);
}

// A member inserted into an integer that stands for the whole class: or(and(whole, ...), shl(zext(member), ...)).
bool goes_into_a_whole(const Instruction& what) {
    const auto goes_on = [](const User* user) {
        const auto* const next = dyn_cast<BinaryOperator>(user);
        return next != nullptr && (next->getOpcode() == Instruction::Or ||
                                   (next->getOpcode() == Instruction::Shl && goes_into_a_whole(*next)));
    };
    const bool may = isa<ZExtInst>(what) || what.getOpcode() == Instruction::Shl ||
                     (what.getOpcode() == Instruction::And && isa<ConstantInt>(what.getOperand(1)));
    return may && !what.use_empty() && all_of(what.users(), goes_on);
}

enum class handling { goes_on, copied, forgotten, used };

handling handling_of(const Use& use) {
    const auto& user = *cast<Instruction>(use.getUser());
    if (const auto* const store = dyn_cast<StoreInst>(&user)) {
        const bool is_value = use.getOperandNo() == 0;
        return is_value && !store->isAtomic() ? handling::copied : handling::used;
    }
    if (isa<PHINode>(user) || is_same_value(user) || is_part_of_value(user)) return handling::goes_on;
    if (isa<SelectInst>(user)) return use.getOperandNo() == 0 ? handling::used : handling::goes_on;
    if (isa<InsertValueInst, ExtractValueInst, InsertElementInst>(user)) return handling::forgotten;
    if (goes_into_a_whole(user)) return handling::forgotten;
    if (const auto* const what = dyn_cast<IntrinsicInst>(&user)) {
        return what->isAssumeLikeIntrinsic() ? handling::forgotten : handling::used;
    }
    if (const auto* const call = dyn_cast<CallBase>(&user)) {
        return call->isArgOperand(&use) && !wants_a_value(*call, use) ? handling::forgotten : handling::used;
    }
    if (isa<ReturnInst>(user)) return returns_a_value(*user.getFunction()) ? handling::used : handling::forgotten;
    return handling::used;
}

}  // namespace

bool is_used_at_once(const LoadInst& load) {
    bool used = false;
    for (const Use& use : load.uses()) {
        const handling how = handling_of(use);
        if (how == handling::copied) return false;
        used = used || (how == handling::used && cast<Instruction>(use.getUser())->getParent() == load.getParent());
    }
    return used;
}

void copied_values::add(LoadInst& load, Value* bytes) { set(load, bytes); }

void copied_values::set(const Value& value, Value* bytes) {
    bytes_[&value] = bytes;
    left_.push_back(&value);
}

void copied_values::pass_on(const Value* from, Instruction& to) {
    if (bytes_.contains(&to)) return;
    Value* const bytes = bytes_of(from);
    IRBuilder<> builder(&to);
    if (is_same_value(to)) return set(to, bytes);
    if (auto* const phi = dyn_cast<PHINode>(&to)) {
        joined_.push_back(phi);
        return set(to, builder.CreatePHI(builder.getInt64Ty(), phi->getNumIncomingValues()));
    }
    if (auto* const select = dyn_cast<SelectInst>(&to)) {
        if (!select->getCondition()->getType()->isIntegerTy(1)) return;
        joined_.push_back(select);
        Instruction* const made = SelectInst::Create(select->getCondition(), builder.getInt64(0), builder.getInt64(0),
                                                     "", select->getIterator());
        return set(to, made);
    }
    if (isa<TruncInst>(to)) return set(to, bytes);
    const std::uint64_t bytes_off = cast<ConstantInt>(to.getOperand(1))->getZExtValue() / 8;
    const std::uint64_t low = (1U << bits_for_bytes) - 1;
    Value* const which = builder.CreateLShr(builder.CreateAnd(bytes, low), bytes_off);
    Value* const where =
        builder.CreateAdd(builder.CreateAnd(bytes, ~low), builder.getInt64(bytes_off << bits_for_bytes));
    set(to, builder.CreateOr(which, where));
}

void copied_values::follow(function_ref<void(Instruction&, Value*, std::uint64_t)> use_of) {
    SmallSetVector<std::pair<Instruction*, const Value*>, 16> uses;
    while (!left_.empty()) {
        const Value* const value = left_.pop_back_val();
        for (const Use& use : value->uses()) {
            const handling how = handling_of(use);
            auto* const user = cast<Instruction>(use.getUser());
            if (how == handling::goes_on) pass_on(value, *user);
            if (how == handling::used) uses.insert({user, value});
        }
    }
    complete();
    for (const auto& [user, value] : uses) use_of(*user, bytes_of(value), size_of(*value, *user));
}

void copied_values::complete() {
    for (Instruction* const each : joined_) {
        const auto or_none = [&](const Value* value) -> Value* {
            Value* const known = bytes_of(value);
            return known != nullptr ? known : ConstantInt::get(Type::getInt64Ty(each->getContext()), 0);
        };
        if (auto* const phi = dyn_cast<PHINode>(each)) {
            auto* const made = cast<PHINode>(bytes_of(phi));
            for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
                made->addIncoming(or_none(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
            }
        } else {
            auto* const made = cast<SelectInst>(bytes_of(each));
            made->setTrueValue(or_none(cast<SelectInst>(each)->getTrueValue()));
            made->setFalseValue(or_none(cast<SelectInst>(each)->getFalseValue()));
        }
    }
    joined_.clear();
}

}  // namespace ordeal::compiler
