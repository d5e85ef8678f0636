// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_lifetimes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <array>
#include <cstdint>
#include <optional>

namespace ordeal::compiler {

using namespace llvm;

// ---- Types, as debug information has them ----

const DIType* without_qualifiers(const DIType* type) {
    const auto is_qualifier = [](const DIDerivedType& what) {
        const unsigned tag = what.getTag();
        return tag == dwarf::DW_TAG_typedef || tag == dwarf::DW_TAG_const_type || tag == dwarf::DW_TAG_volatile_type;
    };
    for (const auto* each = dyn_cast_or_null<DIDerivedType>(type); each != nullptr && is_qualifier(*each);
         each = dyn_cast_or_null<DIDerivedType>(type)) {
        type = each->getBaseType();
    }
    return type;
}

namespace {

constexpr StringRef tag = "ordeal.lifetime_end";

// An object without members may share its one byte with others. An unknown type counts as empty.
bool is_empty(const DIType* type) {
    type = without_qualifiers(type);
    const auto* const made = dyn_cast_or_null<DICompositeType>(type);
    if (made == nullptr) return type == nullptr;
    if (made->isForwardDecl() || made->getTag() == dwarf::DW_TAG_array_type) return made->isForwardDecl();
    return none_of(made->getElements(), [](const DINode* each) {
        const auto* const part = dyn_cast_or_null<DIDerivedType>(each);
        if (part == nullptr || part->isStaticMember()) return false;
        const bool is_part = part->getTag() == dwarf::DW_TAG_member || part->getTag() == dwarf::DW_TAG_inheritance;
        return is_part && !is_empty(part->getBaseType());
    });
}

const DIType* class_of(const Function& function) {
    const DISubprogram* const known = function.getSubprogram();
    return known == nullptr ? nullptr : dyn_cast_or_null<DIType>(known->getScope());
}

const DIType* first_template_argument(const Function& function) {
    const DISubprogram* const known = function.getSubprogram();
    if (known == nullptr) return nullptr;
    for (const DITemplateParameter* const each : known->getTemplateParams()) {
        if (isa<DITemplateTypeParameter>(each)) return without_qualifiers(each->getType());
    }
    return nullptr;
}

// ---- Functions ----

bool is_destructor(const Function& function) {
    const StringRef name = function.getName();
    if (!name.starts_with("_Z") || !(name.ends_with("D1Ev") || name.ends_with("D2Ev"))) return false;
    ItaniumPartialDemangler parsed;
    return !parsed.partialDemangle(name.str().c_str()) && parsed.isCtorOrDtor();
}

// The bytes of the class itself; in a subobject the bytes after them may belong to another member.
std::uint64_t own_size(const Function& member) {
    return member.arg_empty() ? 0 : member.getParamDereferenceableBytes(0);
}

void mark(Instruction& before, Value* object, Value* size) {
    IRBuilder<> builder(&before);
    const std::array<Value*, 2> inputs{object, size};
    const OperandBundleDef marked(tag.str(), ArrayRef<Value*>(inputs));
    builder.CreateAssumption(builder.getTrue(), {marked});
}

void mark_returns(Function& function, Value* object, std::uint64_t size) {
    for (BasicBlock& each : function) {
        if (auto* const end = dyn_cast<ReturnInst>(each.getTerminator())) {
            mark(*end, object, ConstantInt::get(Type::getInt64Ty(function.getContext()), size));
        }
    }
}

void mark_destructor(Function& function) {
    const std::uint64_t size = own_size(function);
    if (size == 0 || (size == 1 && is_empty(class_of(function)))) return;
    mark_returns(function, function.getArg(0), size);
}

// std::destroy_at(), std::ranges::destroy_at(): the argument points to the destroyed object.
void mark_destroy_at(Function& function, unsigned which) {
    const DIType* const type = first_template_argument(function);
    if (type == nullptr || function.arg_size() <= which || is_empty(type)) return;
    mark_returns(function, function.getArg(which), type->getSizeInBits() / 8);
}

// The value comes first, directly followed by the flag that says whether there is one.
void mark_reset_of_optional(Function& function) {
    const std::uint64_t size = own_size(function);
    if (size > 1) mark_returns(function, function.getArg(0), size - 1);
}

// For a range of trivially destructible elements the library does nothing.
void mark_destroyed_range(Function& function) {
    if (function.arg_size() != 2 || !function.getArg(0)->getType()->isPointerTy()) return;
    if (!function.getArg(1)->getType()->isPointerTy()) return;
    for (BasicBlock& each : function) {
        auto* const end = dyn_cast<ReturnInst>(each.getTerminator());
        if (end == nullptr) continue;
        IRBuilder<> builder(end);
        Value* const first = builder.CreatePtrToInt(function.getArg(0), builder.getInt64Ty());
        Value* const last = builder.CreatePtrToInt(function.getArg(1), builder.getInt64Ty());
        mark(*end, function.getArg(0), builder.CreateSub(last, first));
    }
}

}  // namespace

void mark_lifetime_ends(Module& module) {
    for (Function& each : module) {
        if (each.isDeclaration()) continue;
        const StringRef name = each.getName();
        if (is_destructor(each)) {
            mark_destructor(each);
        } else if (name.starts_with("_ZSt10destroy_atI")) {
            mark_destroy_at(each, 0);
        } else if (name.starts_with("_ZNKSt6ranges15__destroy_at_fnclI")) {
            mark_destroy_at(each, 1);
        } else if (name.starts_with("_ZNSt22_Optional_payload_baseI") && name.ends_with("10_M_destroyEv")) {
            mark_reset_of_optional(each);
        } else if (name.starts_with("_ZNSt12_Destroy_auxILb1EE9__destroyIP")) {
            mark_destroyed_range(each);
        }
    }
}

void tell_large_variables(Module& module) {
    constexpr std::uint64_t large = 4096;
    SmallVector<AllocaInst*, 8> all;
    for (Function& function : module) {
        if (function.hasFnAttribute(Attribute::Naked)) continue;
        for (Instruction& each : instructions(function)) {
            auto* const variable = dyn_cast<AllocaInst>(&each);
            if (variable == nullptr) continue;
            const std::optional<TypeSize> size = variable->getAllocationSize(module.getDataLayout());
            if (!size || size->getKnownMinValue() > large) all.push_back(variable);
        }
    }
    for (AllocaInst* const each : all) {
        IRBuilder<> builder(each);
        if (DISubprogram* const scope = each->getFunction()->getSubprogram();
            scope != nullptr && !each->getDebugLoc()) {
            builder.SetCurrentDebugLocation(DILocation::get(module.getContext(), scope->getLine(), 0, scope));
        }
        const TypeSize one = module.getDataLayout().getTypeAllocSize(each->getAllocatedType());
        Value* const count = builder.CreateZExtOrTrunc(each->getArraySize(), builder.getInt64Ty());
        Value* const size = builder.CreateMul(count, builder.getInt64(one.getKnownMinValue()));
        builder
            .CreateCall(module.getOrInsertFunction("__ordeal_needs_room", builder.getVoidTy(), builder.getInt64Ty()),
                        {size})
            ->setDoesNotThrow();
    }
}

std::uint64_t destroyed_size(const CallBase& call) {
    const Function* const function = call.getCalledFunction();
    return function != nullptr && is_destructor(*function) ? own_size(*function) : 0;
}

lifetime_end marked_end(const IntrinsicInst& what) {
    if (what.getIntrinsicID() != Intrinsic::assume) return {};
    const auto marked = what.getOperandBundle(tag);
    if (!marked || marked->Inputs.size() != 2) return {};
    return {marked->Inputs[0], marked->Inputs[1]};
}

namespace {

/// A marked lifetime end of known size: bytes after some pointer.
struct ended_bytes {
    IntrinsicInst* mark = nullptr;
    const Value* behind = nullptr;
    std::int64_t begin = 0;
    std::int64_t end = 0;

    [[nodiscard]] bool is_within(const ended_bytes& other) const {
        return behind == other.behind && begin >= other.begin && end <= other.end;
    }
};

std::optional<ended_bytes> ended_by(Instruction& what) {
    auto* const mark = dyn_cast<IntrinsicInst>(&what);
    if (mark == nullptr) return std::nullopt;
    const lifetime_end marked = marked_end(*mark);
    const auto* const size = dyn_cast_or_null<ConstantInt>(marked.size);
    if (size == nullptr) return std::nullopt;
    ended_bytes result{.mark = mark};
    result.behind = GetPointerBaseWithConstantOffset(marked.object, result.begin, what.getDataLayout());
    result.end = result.begin + size->getSExtValue();
    return result;
}

}  // namespace

void drop_nested_lifetime_ends(Function& function) {
    for (BasicBlock& block : function) {
        std::optional<ended_bytes> last;
        for (Instruction& each : make_early_inc_range(block)) {
            const auto ended = ended_by(each);
            if (!ended) {
                if (each.mayReadOrWriteMemory() && !isa<DbgInfoIntrinsic, AssumeInst>(each)) last.reset();
                continue;
            }
            if (last && ended->is_within(*last)) {
                ended->mark->eraseFromParent();
                continue;
            }
            if (last && last->is_within(*ended)) last->mark->eraseFromParent();
            last = ended;
        }
    }
}

SmallVector<AllocaInst*, 8> variables_without_scope(Function& function) {
    SmallVector<AllocaInst*, 8> result;
    for (Instruction& each : function.getEntryBlock()) {
        auto* const variable = dyn_cast<AllocaInst>(&each);
        if (variable == nullptr || !variable->isStaticAlloca()) continue;
        const auto is_scope = [](const User* user) {
            const auto* const what = dyn_cast<IntrinsicInst>(user);
            return what != nullptr && what->isLifetimeStartOrEnd();
        };
        if (none_of(variable->users(), is_scope)) result.push_back(variable);
    }
    return result;
}

AllocaInst* variable_of_scope(const IntrinsicInst& what) {
    if (!what.isLifetimeStartOrEnd()) return nullptr;
    return dyn_cast<AllocaInst>(what.getArgOperand(what.arg_size() - 1)->stripPointerCasts());
}

// Among these are the wait functions in loops, where an extra instrumented call would be an extra state.
bool does_not_capture(const CallBase& call) {
    const Function* const function = call.getCalledFunction();
    return function != nullptr && StringSwitch<bool>(function->getName())
                                      .Cases("pthread_cond_clockwait", "pthread_cond_timedwait", true)
                                      .Cases("pthread_mutex_clocklock", "pthread_mutex_timedlock", true)
                                      .Cases("clock_gettime", "nanosleep", "clock_nanosleep", true)
                                      .Default(false);
}

// Nothing may be inserted between a musttail call and the return.
SmallVector<Instruction*, 8> exits_of(Function& function) {
    SmallVector<Instruction*, 8> result;
    for (BasicBlock& each : function) {
        if (CallInst* const last = each.getTerminatingMustTailCall()) {
            result.push_back(last);
        } else if (isa<ReturnInst, ResumeInst>(each.getTerminator())) {
            result.push_back(each.getTerminator());
        }
    }
    return result;
}

}  // namespace ordeal::compiler
