// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_lifetimes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

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

// Tags of assumptions.
constexpr StringRef end_of_life = "ordeal.end_of_life";
constexpr StringRef begin_of_scope = "ordeal.begin_of_scope";
constexpr StringRef end_of_scope = "ordeal.end_of_scope";

// An object without members may share its one byte with others. An unknown type counts as empty.
bool is_empty(const DIType* type) {
    type = without_qualifiers(type);
    const auto* const made = dyn_cast_or_null<DICompositeType>(type);
    if (made == nullptr) return type == nullptr;
    if (made->getTag() == dwarf::DW_TAG_enumeration_type) return false;
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

void mark(StringRef what, Instruction& before, Value* object, Value* size) {
    IRBuilder<> builder(&before);
    const std::array<Value*, 2> inputs{object, size};
    const OperandBundleDef marked(what.str(), ArrayRef<Value*>(inputs));
    builder.CreateAssumption(builder.getTrue(), {marked});
}

void mark_returns(Function& function, Value* object, std::uint64_t size) {
    for (BasicBlock& each : function) {
        if (auto* const end = dyn_cast<ReturnInst>(each.getTerminator())) {
            mark(end_of_life, *end, object, ConstantInt::get(Type::getInt64Ty(function.getContext()), size));
        }
    }
}

// ---- Members without destructors ----

/// A base class or member, in order of declaration.
struct subobject {
    std::uint64_t begin = 0;  ///< bytes from the beginning of its class
    std::uint64_t end = 0;
    const DIType* type = nullptr;
    SmallVector<Instruction*, 2> destructions;  ///< where each begins; none: it is trivially destructible
};

SmallVector<subobject, 8> subobjects_of(const DIType* type) {
    SmallVector<subobject, 8> result;
    const auto* const made = dyn_cast_or_null<DICompositeType>(without_qualifiers(type));
    if (made == nullptr) return result;
    for (const DINode* const each : made->getElements()) {
        const auto* const part = dyn_cast_or_null<DIDerivedType>(each);
        if (part == nullptr || part->isStaticMember() || part->isVirtual()) continue;
        const bool is_base = part->getTag() == dwarf::DW_TAG_inheritance;
        const bool is_member = part->getTag() == dwarf::DW_TAG_member && !part->isArtificial();
        if (!is_base && !is_member) continue;
        const DIType* const own = is_base ? without_qualifiers(part->getBaseType()) : part;
        const std::uint64_t begin = part->getOffsetInBits();
        result.push_back({begin / 8, (begin + own->getSizeInBits() + 7) / 8, part->getBaseType(), {}});
    }
    return result;
}

// Before any optimisation a member function keeps `this` in a variable.
bool is_this(const Value* pointer, const Function& member) {
    if (pointer == member.getArg(0)) return true;
    const auto* const load = dyn_cast<LoadInst>(pointer);
    const auto* const kept = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
    return kept != nullptr && any_of(kept->users(), [&](const User* each) {
               const auto* const store = dyn_cast<StoreInst>(each);
               return store != nullptr && store->getValueOperand() == member.getArg(0);
           });
}

// The name of the class alone: "vector" of std::vector<int>. None of a class without a name.
StringRef class_name(const DIType* type) {
    type = without_qualifiers(type);
    const auto* const made = dyn_cast_or_null<DICompositeType>(type);
    if (made != nullptr && made->getTag() == dwarf::DW_TAG_array_type) return class_name(made->getBaseType());
    const StringRef name = made == nullptr ? "" : made->getName();
    return name.starts_with("(") ? "" : name.take_until([](char each) { return each == '<'; });
}

bool is_destructor_of(const Function& destructor, const DIType* type) {
    const StringRef wanted = class_name(type);
    const std::string symbol = destructor.getName().str();  // which what is parsed refers to
    ItaniumPartialDemangler parsed;
    if (wanted.empty() || parsed.partialDemangle(symbol.c_str())) return true;
    std::size_t size = 0;
    char* const name = parsed.getFunctionBaseName(nullptr, &size);
    const bool is_it = name == nullptr || StringRef(name).ltrim('~') == wanted;
    std::free(name);
    return is_it;
}

/// Where a destructor begins to destroy a base class or member, and the offset of the bytes that it destroys then.
struct destruction {
    Instruction* begins = nullptr;
    std::uint64_t offset = 0;
};

// Arrays are destroyed by a loop, from their last element.
std::optional<destruction> destruction_by(CallBase& call) {
    const Function& destructor = *call.getFunction();
    std::int64_t offset = 0;
    const Value* base = GetPointerBaseWithConstantOffset(call.getArgOperand(0), offset, call.getDataLayout());
    if (is_this(base, destructor)) return destruction{&call, static_cast<std::uint64_t>(offset)};
    const auto* const element = dyn_cast<PHINode>(base);
    if (element == nullptr) return std::nullopt;
    for (unsigned i = 0; i < element->getNumIncomingValues(); ++i) {
        offset = 0;
        base = GetPointerBaseWithConstantOffset(element->getIncomingValue(i), offset, call.getDataLayout());
        if (!is_this(base, destructor) || offset == 0) continue;
        return destruction{element->getIncomingBlock(i)->getTerminator(), static_cast<std::uint64_t>(offset) - 1};
    }
    return std::nullopt;
}

// A destructor destroys members where its own body has ended; what the body itself destroys stands in another line or
// column. Unoptimised, it returns in one place.
DebugLoc end_of_body(const Function& destructor) {
    const auto end = find_if(destructor, [](const BasicBlock& each) { return isa<ReturnInst>(each.getTerminator()); });
    return end == destructor.end() ? DebugLoc() : end->getTerminator()->getDebugLoc();
}

bool is_at(const DebugLoc& place, const Instruction& what) {
    const DebugLoc& here = what.getDebugLoc();
    return place && here && here.getLine() == place.getLine() && here.getCol() == place.getCol();
}

// In a macro the whole body stands in one line and column, and may destroy something itself.
bool is_of_body(const Instruction& what) {
    const auto* const call = dyn_cast<CallBase>(&what);
    const Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
    const bool terminates = called != nullptr && called->getName() == "__clang_call_terminate";
    const auto* const store = dyn_cast<StoreInst>(&what);
    const bool stores = store != nullptr && !isa<AllocaInst>(store->getPointerOperand());  // as landing pads do
    return stores || (call != nullptr && !isa<IntrinsicInst>(call) && !terminates);
}

// The complete and the base object destructor of one class: D1 and D2.
bool is_same_destructor(const Function& one, const Function& other) {
    constexpr std::size_t kind = 4;  // "D2Ev"
    return &one != &other && one.getName().drop_back(kind) == other.getName().drop_back(kind);
}

// Members are destroyed in the reverse order of their declaration, [class.dtor]/14. A destructor says nothing of those
// that are trivially destructible, such as a mutex or an atomic; they end before it destroys what is declared before
// them, such as a thread that uses them until it is joined.
void mark_members(Function& function) {
    SmallVector<subobject, 8> all = subobjects_of(class_of(function));
    const DebugLoc end = end_of_body(function);
    bool begun = false;
    for (Instruction& each : instructions(function)) {
        if (!is_at(end, each)) continue;
        auto* const call = dyn_cast<CallBase>(&each);
        const Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
        if (called == nullptr || !is_destructor(*called)) {
            if (begun && is_of_body(each)) return;
            continue;
        }
        if (is_same_destructor(*called, function)) return;  // which does all this; virtual bases follow
        const std::optional<destruction> found = destruction_by(*call);
        if (!found) continue;  // of a local variable
        begun = true;
        for (subobject& part : all) {
            // Where something may throw, a landing pad does it again.
            if (part.begin <= found->offset && found->offset < part.end && is_destructor_of(*called, part.type))
                part.destructions.push_back(found->begins);
        }
    }
    Type* const number = Type::getInt64Ty(function.getContext());
    ArrayRef<Instruction*> before;
    for (const subobject& each : all) {
        if (!each.destructions.empty()) {
            before = each.destructions;
            continue;
        }
        if (is_empty(each.type)) continue;
        for (Instruction* const destruction : before) {
            IRBuilder<> builder(destruction);
            Value* const object =
                builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function.getArg(0), each.begin);
            mark(end_of_life, *destruction, object, ConstantInt::get(number, each.end - each.begin));
        }
    }
}

void mark_destructor(Function& function) {
    mark_members(function);
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
        mark(end_of_life, *end, function.getArg(0), builder.CreateSub(last, first));
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

bool mark_scopes(Function& coroutine) {
    const auto is_begin = [](const Instruction& each) {
        const auto* const what = dyn_cast<IntrinsicInst>(&each);
        return what != nullptr && what->getIntrinsicID() == Intrinsic::coro_begin;
    };
    const auto begin = find_if(instructions(coroutine), is_begin);
    if (!coroutine.isPresplitCoroutine() || begin == inst_end(coroutine)) return false;
    const DominatorTree dominators(coroutine);
    SmallVector<IntrinsicInst*, 16> scopes;
    for (Instruction& each : instructions(coroutine)) {
        auto* const what = dyn_cast<IntrinsicInst>(&each);
        if (what != nullptr && variable_of_scope(*what) != nullptr && dominators.dominates(&*begin, what)) {
            scopes.push_back(what);
        }
    }
    for (IntrinsicInst* const each : scopes) {
        AllocaInst* const variable = variable_of_scope(*each);
        const std::optional<TypeSize> size = variable->getAllocationSize(coroutine.getDataLayout());
        if (!size || size->isScalable() || size->isZero()) continue;
        const bool begins = each->getIntrinsicID() == Intrinsic::lifetime_start;
        mark(begins ? begin_of_scope : end_of_scope, begins ? *each->getNextNode() : *each, variable,
             ConstantInt::get(Type::getInt64Ty(coroutine.getContext()), size->getFixedValue()));
    }
    return !scopes.empty();
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

lifetime_mark lifetime_marked(const IntrinsicInst& what) {
    if (what.getIntrinsicID() != Intrinsic::assume) return {};
    for (const auto& [tag, kind] : {std::pair{end_of_life, lifetime_mark::kinds::end_of_life},
                                    std::pair{begin_of_scope, lifetime_mark::kinds::begin_of_scope},
                                    std::pair{end_of_scope, lifetime_mark::kinds::end_of_scope}}) {
        const auto marked = what.getOperandBundle(tag);
        if (marked && marked->Inputs.size() == 2) return {kind, marked->Inputs[0], marked->Inputs[1]};
    }
    return {};
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
    const lifetime_mark marked = lifetime_marked(*mark);
    if (marked.kind != lifetime_mark::kinds::end_of_life) return std::nullopt;
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
