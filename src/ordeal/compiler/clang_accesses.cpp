// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_accesses.hpp"

#include "clang_copies.hpp"
#include "clang_fences.hpp"
#include "clang_lifetimes.hpp"
#include "clang_padding.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Operator.h>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

namespace ordeal::compiler {

using namespace llvm;

// LLVM's own analysis gives up, or misses cases, where this does not (LLVM pull request 132756).
bool may_be_captured(const Value& object, function_ref<bool(const CallBase&)> does_not_capture) {
    SmallVector<const Value*, 16> left{&object};
    SmallPtrSet<const Value*, 16> seen;
    while (!left.empty()) {
        const Value* const address = left.pop_back_val();
        if (!seen.insert(address).second) continue;
        for (const Use& use : address->uses()) {
            const User* const user = use.getUser();
            // The runtime knows an atomic object by its address: it must see the non-atomic write that begins another
            // one there.
            if (const auto* const each = dyn_cast<Instruction>(user); each != nullptr && each->isAtomic()) return true;
            if (isa<LoadInst>(user)) continue;
            if (const auto* const store = dyn_cast<StoreInst>(user)) {
                if (store->getValueOperand() == address) return true;
            } else if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator, PHINode, SelectInst>(user)) {
                left.push_back(user);
            } else if (const auto* const intrinsic = dyn_cast<IntrinsicInst>(user)) {
                if (!intrinsic->isLifetimeStartOrEnd() && !isa<MemIntrinsic, DbgInfoIntrinsic>(intrinsic) &&
                    lifetime_marked(*intrinsic).object == nullptr) {
                    return true;
                }
            } else if (const auto* const call = dyn_cast<CallBase>(user)) {
                if (!does_not_capture(*call)) return true;
            } else {
                return true;
            }
        }
    }
    return false;
}

namespace {

constexpr std::uint64_t most_copied = 16;  // in bytes, by one load

bool is_memory_of_function(const Value* object) {
    const auto* const argument = dyn_cast<Argument>(object);
    return isa<AllocaInst>(object) || (argument != nullptr && argument->hasByValAttr());
}

bool calls_the_runtime(const Instruction& what) {
    const auto* const call = dyn_cast<CallInst>(&what);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName().starts_with("__tsan_");
}

bool may_be_a_bit_field(const LoadInst& load, const User& last) {
    const auto* const store = dyn_cast<StoreInst>(&last);
    if (store == nullptr || store->getPointerOperand() != load.getPointerOperand()) return false;
    if (store->getParent() != load.getParent()) return false;
    for (const Instruction* each = load.getNextNode(); each != store; each = each->getNextNode()) {
        if (each->mayReadOrWriteMemory() && !isa<DbgInfoIntrinsic>(each) && !calls_the_runtime(*each)) return false;
    }
    return true;
}

// Writing a bit-field reads and rewrites its whole unit. In the source that is only a write. An access with a type,
// which a unit has not, is something else; unoptimised code has no types.
bool is_rest_of_bit_field(const LoadInst& load) {
    if (load.hasMetadata(LLVMContext::MD_tbaa)) return false;
    if (!load.hasOneUse() || !load.getType()->isIntegerTy()) return false;
    const auto* const rest = dyn_cast<BinaryOperator>(load.user_back());
    if (rest == nullptr || rest->getOpcode() != Instruction::And || !isa<ConstantInt>(rest->getOperand(1)))
        return false;
    return any_of(rest->users(), [&](const User* each) {
        const auto* const whole = dyn_cast<BinaryOperator>(each);
        if (whole != nullptr && whole->getOpcode() == Instruction::Or && whole->hasOneUse()) each = whole->user_back();
        return may_be_a_bit_field(load, *each);
    });
}

// Which function of the source an instruction is from, inlined or not.
StringRef source_function(const Instruction& what) {
    if (const DILocation* const at = what.getDebugLoc()) {
        if (const DISubprogram* const function = at->getScope()->getSubprogram()) return function->getLinkageName();
    }
    return what.getFunction()->getName();
}

// An element of std::vector<bool> is a bit. libstdc++ writes it by `&=` and `|=` of its word, whose other bits may have
// no value yet.
bool is_rest_of_packed_bits(const LoadInst& load) {
    const StringRef function = source_function(load);
    if (!function.starts_with("_ZNSt14_Bit_referenceaSE") && !function.starts_with("_ZSt14__fill_bvector"))
        return false;
    if (!load.hasOneUse() || !load.getType()->isIntegerTy()) return false;
    const auto* const whole = dyn_cast<BinaryOperator>(load.user_back());
    return whole != nullptr && whole->hasOneUse() && may_be_a_bit_field(load, *whole->user_back());
}

bool is_rest_of_bits(const LoadInst& load) { return is_rest_of_bit_field(load) || is_rest_of_packed_bits(load); }

// Promoting variables out of memory loads from everything that a pointer may point to, if one of those is such a
// variable.
bool may_be_speculated(const LoadInst& load) {
    const Value* const base = getUnderlyingObject(load.getPointerOperand(), 0);
    if (isa<AllocaInst, Argument, GlobalValue>(base)) return false;
    const auto* const pointer = dyn_cast<LoadInst>(base);
    if (pointer == nullptr) return true;
    const auto* const variable = dyn_cast<AllocaInst>(pointer->getPointerOperand());
    return variable != nullptr &&
           count_if(variable->users(), [](const User* each) { return isa<StoreInst>(each); }) > 1;
}

void keep_load(LoadInst& load) {
    if (load.isVolatile() || load.isAtomic() || isa<AllocaInst>(load.getPointerOperand())) return;
    if (!load.use_empty() && !may_be_speculated(load)) return;
    load.setVolatile(true);
    load.setMetadata(kept, MDNode::get(load.getContext(), {}));
}

void keep_call(CallBase& call) {
    if (isa<IntrinsicInst>(call) || call.isInlineAsm()) return;
    call.removeFnAttr(Attribute::Memory);
    if (!call.hasFnAttr(Attribute::Builtin)) call.addFnAttr(Attribute::NoBuiltin);
}

// With _FORTIFY_SOURCE: calls that check the size of the object. Where the check is known to succeed, the back end
// makes plain moves of them, after all passes, and whether or not they are built-in functions. Under the names that the
// linker gives them (--wrap) it does not know them: the runtime sees the call, and the check remains.
void hide_fortified_calls(Module& module) {
    constexpr std::array<StringRef, 13> fortified{"memcpy",   "memmove",  "mempcpy",  "memset",  "stpcpy",
                                                  "strcpy",   "strncpy",  "strcat",   "strncat", "sprintf",
                                                  "snprintf", "vsprintf", "vsnprintf"};
    for (const StringRef each : fortified) {
        Function* const function = module.getFunction(("__" + each + "_chk").str());
        if (function != nullptr && function->isDeclaration()) function->setName("__wrap_" + function->getName());
    }
}

/// Builds before an instruction. A call needs a source location if its function has debug information.
class builder_before : public IRBuilder<> {
public:
    explicit builder_before(Instruction& at) : IRBuilder<>(&at) {
        DISubprogram* const scope = at.getFunction()->getSubprogram();
        if (!at.getDebugLoc() && scope != nullptr) {
            SetCurrentDebugLocation(DILocation::get(at.getContext(), 0, 0, scope));
        }
    }
};

/// The accesses of one function.
class function_accesses {
public:
    explicit function_accesses(Function& function)
        : function_(function), module_(*function.getParent()), layout_(module_.getDataLayout()) {}

    void tell() {
        drop_nested_lifetime_ends(function_);
        SmallVector<Instruction*, 64> all;
        SmallVector<IntrinsicInst*, 4> restores;  // of the stack; tell_of() erases others
        for (Instruction& each : instructions(function_)) {
            all.push_back(&each);
            auto* const intrinsic = dyn_cast<IntrinsicInst>(&each);
            if (intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
                restores.push_back(intrinsic);
            // Before a call passes its address to the runtime.
            if (auto* const variable = dyn_cast<AllocaInst>(&each);
                variable != nullptr && may_be_captured(each, does_not_capture)) {
                lent_.insert(variable);
            }
        }
        if (!module_.getModuleInlineAsm().empty()) {
            tell_unseen(*function_.getEntryBlock().getFirstInsertionPt(), "assembler of the whole file");
        }
        const auto variables = variables_without_scope(function_);
        find_merged_with_shared(all);
        find_filled_by_copies(all);
        tell_copies(all);
        for (Instruction* const each : all) tell_of(*each);
        for (AllocaInst* const each : variables) tell_whole_scope(*each);
        tell_ends_of_arrays(restores);
        for (Argument& each : function_.args()) tell_argument_by_value(each);
    }

private:
    // ---- Calls into the runtime ----

    template <class... Arguments>
    CallInst* call(IRBuilder<>& builder, const Twine& name, Type* result, Arguments... arguments) const {
        const std::array<Type*, sizeof...(arguments)> types{arguments->getType()...};
        const FunctionCallee callee = module_.getOrInsertFunction(name.str(), FunctionType::get(result, types, false));
        CallInst* const made = builder.CreateCall(callee, {arguments...});
        made->setDoesNotThrow();
        made->addFnAttr(Attribute::NoMerge);  // equal accesses in two branches have two source locations
        return made;
    }

    // ---- Memory accessible to other threads ----

    bool is_private(const Value* address) {
        SmallVector<const Value*, 4> objects;
        getUnderlyingObjects(address, objects, nullptr, 0);
        return all_of(objects, [&](const Value* object) { return is_private_object(object); });
    }

    bool is_private_object(const Value* object) {
        if (const auto* const global = dyn_cast<GlobalVariable>(object)) return global->isConstant();
        if (!is_memory_of_function(object)) return false;
        const auto [known, added] = private_.try_emplace(object, false);
        if (added) known->second = !may_be_captured(*object);
        return known->second;
    }

    // An access by a pointer to one of several objects is reported if one of them is shared. So the others count as
    // shared too: else such an access would be reported of a variable whose scope is not.
    void find_merged_with_shared(ArrayRef<Instruction*> all) {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction* const each : all) {
                if (!isa<PHINode, SelectInst>(each) || !each->getType()->isPointerTy() || is_private(each)) continue;
                SmallVector<const Value*, 4> objects;
                getUnderlyingObjects(each, objects, nullptr, 0);
                for (const Value* const object : objects) {
                    if (!is_memory_of_function(object) || !is_private_object(object)) continue;
                    private_[object] = false;
                    changed = true;
                }
            }
        }
    }

    // ---- Copies ----

    // Private variables that are filled by copies and so may be uninitialised: accesses to them are not reported, but
    // uninitialised reads are.
    void find_filled_by_copies(ArrayRef<Instruction*> all) {
        for (std::size_t before = filled_.size() + 1; before != filled_.size();) {
            before = filled_.size();
            for (Instruction* const each : all) {
                const Value* to = nullptr;
                if (const auto* const transfer = dyn_cast<MemTransferInst>(each)) {
                    if (carries(transfer->getRawSource())) to = transfer->getRawDest();
                } else if (const auto* const store = dyn_cast<StoreInst>(each)) {
                    const auto* const load = dyn_cast<LoadInst>(store->getValueOperand());
                    if (load != nullptr && is_copied(*load)) to = store->getPointerOperand();
                }
                if (to != nullptr && is_private(to)) add_filled(to);
            }
        }
    }

    void add_filled(const Value* address) {
        SmallVector<const Value*, 4> objects;
        getUnderlyingObjects(address, objects, nullptr, 0);
        for (const Value* const each : objects) {
            if (is_memory_of_function(each)) filled_.insert(each);
        }
    }

    bool is_filled(const Value* address) const {
        if (filled_.empty()) return false;
        SmallVector<const Value*, 4> objects;
        getUnderlyingObjects(address, objects, nullptr, 0);
        return any_of(objects, [&](const Value* object) { return filled_.contains(object); });
    }

    // Whether accesses to the memory of a function may be reported: then the begin of its scope must be, too.
    bool is_told(const Value& object) { return !is_private_object(&object) || filled_.contains(&object); }

    // Whether some bytes there may be uninitialised, as far as the runtime knows.
    bool carries(const Value* address) { return !is_private(address) || is_filled(address); }

    bool is_copied(const LoadInst& load) {
        return !load.isAtomic() && !reads_a_value(load) && load.getPointerAddressSpace() == 0 &&
               carries(load.getPointerOperand());
    }

    void tell_copies(ArrayRef<Instruction*> all) {
        for (Instruction* const each : all) {
            auto* const load = dyn_cast<LoadInst>(each);
            if (load == nullptr || !is_copied(*load) || is_rest_of_bits(*load)) continue;
            const TypeSize size = layout_.getTypeStoreSize(load->getType());
            if (size.isScalable() || size > most_copied || is_used_at_once(*load)) continue;
            builder_before builder(*load);
            const bool is_seen = !is_private(load->getPointerOperand()) && !is_padding_access(*load);
            const StringRef name = is_seen ? "__ordeal_copied_read" : "__ordeal_carried";
            copied_.add(*load, call(builder, name, builder.getInt64Ty(), load->getPointerOperand(),
                                    builder.getInt64(size.getFixedValue())));
        }
        copied_.follow([&](Instruction& user, Value* bytes, std::uint64_t size) {
            builder_before builder(user);
            call(builder, "__ordeal_use_of_copy", builder.getVoidTy(), bytes, builder.getInt64(size));
        });
    }

    // ---- Accesses ----

    void tell_access(IRBuilder<>& builder, Value* address, std::uint64_t size, bool write) {
        if (size == 0) return;
        const StringRef name = write ? "write" : "read";
        if (size <= 16 && std::has_single_bit(size)) {
            call(builder, "__tsan_" + name + Twine(size), builder.getVoidTy(), address);
        } else {
            call(builder, "__tsan_" + name + "_range", builder.getVoidTy(), address, builder.getInt64(size));
        }
    }

    void tell_load(LoadInst& load) {
        if (load.hasMetadata(kept)) {
            load.setVolatile(false);
            load.setMetadata(kept, nullptr);
        }
        if (copied_.bytes_of(&load) != nullptr) return;
        if (load.isAtomic() || is_rest_of_bits(load)) return;
        if (is_private(load.getPointerOperand()) || is_padding_access(load))
            return tell_private(load, "__ordeal_value_read", load.getType());
        if (load.getPointerAddressSpace() != 0) return tell_unseen(load, "memory of another address space");
        const TypeSize size = layout_.getTypeStoreSize(load.getType());
        if (size.isScalable()) return tell_unseen(load, "a vector of a size that is not known");
        builder_before builder(load);
        const MDNode* const tag = load.getMetadata(LLVMContext::MD_tbaa);
        if (tag != nullptr && tag->isTBAAVtableAccess()) {
            call(builder, "__tsan_vptr_read", builder.getVoidTy(), load.getPointerOperand());
        } else {
            tell_access(builder, load.getPointerOperand(), size.getFixedValue(), false);
        }
    }

    void tell_private(Instruction& what, StringRef name, Type* type) {
        Value* const address = getPointerOperand(&what);
        const TypeSize size = layout_.getTypeStoreSize(type);
        if ((!is_filled(address) && !is_padding_access(what)) || size.isScalable()) return;
        builder_before builder(what);
        call(builder, name, builder.getVoidTy(), address, builder.getInt64(size.getFixedValue()));
    }

    void tell_copied_store(StoreInst& store, Value* bytes) {
        const bool is_seen = !is_private(store.getPointerOperand()) && !is_padding_access(store);
        if (is_private(store.getPointerOperand()) && !is_filled(store.getPointerOperand())) return;
        builder_before builder(store);
        const TypeSize size = layout_.getTypeStoreSize(store.getValueOperand()->getType());
        call(builder, is_seen ? "__ordeal_copied_write" : "__ordeal_carry", builder.getVoidTy(),
             store.getPointerOperand(), builder.getInt64(size.getFixedValue()), bytes);
    }

    void tell_store(StoreInst& store) {
        if (store.isAtomic()) return;
        if (Value* const bytes = copied_.bytes_of(store.getValueOperand())) return tell_copied_store(store, bytes);
        if (is_private(store.getPointerOperand()) || is_padding_access(store)) {
            return tell_private(store, "__ordeal_value_write", store.getValueOperand()->getType());
        }
        if (store.getPointerAddressSpace() != 0) return tell_unseen(store, "memory of another address space");
        const TypeSize size = layout_.getTypeStoreSize(store.getValueOperand()->getType());
        if (size.isScalable()) return tell_unseen(store, "a vector of a size that is not known");
        builder_before builder(store);
        const MDNode* const tag = store.getMetadata(LLVMContext::MD_tbaa);
        if (tag != nullptr && tag->isTBAAVtableAccess() && store.getValueOperand()->getType()->isPointerTy()) {
            call(builder, "__tsan_vptr_update", builder.getVoidTy(), store.getPointerOperand(),
                 store.getValueOperand());
        } else {
            tell_access(builder, store.getPointerOperand(), size.getFixedValue(), true);
        }
    }

    // Replaces the instruction by a function of the runtime if it accesses shared memory. Private memory is reported as
    // well if it may contain uninitialised copies.
    void tell_memory_function(MemIntrinsic& what) {
        builder_before builder(what);
        Value* const size = builder.CreateZExtOrTrunc(what.getLength(), builder.getInt64Ty());
        Value* const to = what.getRawDest();
        if (auto* const transfer = dyn_cast<MemTransferInst>(&what)) return tell_transfer(builder, *transfer, size);
        if (is_private(to)) return tell_filled(builder, to, size);
        call(builder, "__tsan_memset", builder.getPtrTy(), to,
             builder.CreateZExt(cast<MemSetInst>(what).getValue(), builder.getInt32Ty()), size);
        what.eraseFromParent();
    }

    void tell_transfer(IRBuilder<>& builder, MemTransferInst& what, Value* size) {
        Value* const to = what.getRawDest();
        Value* const from = what.getRawSource();
        if (!carries(from)) {  // the runtime does not know its scope
            if (is_private(to)) return tell_filled(builder, to, size);
            const StringRef name = is_padding_access(what) ? "__ordeal_value_write" : "__tsan_write_range";
            call(builder, name, builder.getVoidTy(), to, size);
            return;
        }
        if ((is_private(to) && is_private(from)) || is_padding_access(what)) {
            call(builder, "__ordeal_carried_over", builder.getVoidTy(), to, from, size);
            return;
        }
        call(builder, isa<MemMoveInst>(what) ? "__tsan_memmove" : "__tsan_memcpy", builder.getPtrTy(), to, from, size);
        what.eraseFromParent();
    }

    void tell_filled(IRBuilder<>& builder, Value* to, Value* size) {
        if (is_filled(to)) call(builder, "__ordeal_value_write", builder.getVoidTy(), to, size);
    }

    // ---- Lifetimes ----

    void tell_mark(IntrinsicInst& what, const lifetime_mark& marked) {
        const StringRef name = name_of(marked.kind);
        // A variable on the stack still has LLVM's own markers of its scope.
        const bool is_told_by_itself =
            marked.kind != lifetime_mark::kinds::end_of_life && isa<AllocaInst>(getUnderlyingObject(marked.object));
        if (!is_told_by_itself && !is_private(marked.object)) {
            builder_before builder(what);
            call(builder, name, builder.getVoidTy(), marked.object, marked.size);
        }
        what.eraseFromParent();
    }

    static StringRef name_of(lifetime_mark::kinds marked) {
        switch (marked) {
            case lifetime_mark::kinds::none: break;
            case lifetime_mark::kinds::end_of_life: return "__ordeal_end_of_life";
            case lifetime_mark::kinds::begin_of_scope: return "__ordeal_begin_of_scope";
            case lifetime_mark::kinds::end_of_scope: return "__ordeal_end_of_scope";
        }
        return {};
    }

    void tell_scope(Instruction& before, AllocaInst& variable, bool begins) {
        const std::optional<TypeSize> size = variable.getAllocationSize(layout_);
        if (!size || size->isScalable() || size->isZero()) return;
        // Accesses to it begin to be reported somewhere, even if its address is not captured until it ends.
        if (begins ? !is_told(variable) : !lent_.contains(&variable)) return;
        builder_before builder(before);
        call(builder, begins ? "__ordeal_begin_of_scope" : "__ordeal_end_of_scope", builder.getVoidTy(), &variable,
             builder.getInt64(size->getFixedValue()));
    }

    // An array whose size is known only at run time. The size is hidden from the optimiser: with a constant one it
    // would make the array a variable of the frame, which has no end of its own.
    void tell_begin_of_array(AllocaInst& array) {
        const TypeSize size = layout_.getTypeAllocSize(array.getAllocatedType());
        if (array.isStaticAlloca() || size.isScalable() || !is_told(array)) return;
        builder_before at(array);
        Type* const number = array.getArraySize()->getType();
        InlineAsm* const hide = InlineAsm::get(FunctionType::get(number, {number}, false), "", "=r,0", false);
        array.setOperand(0, at.CreateCall(hide, {array.getArraySize()}));
        builder_before builder(*array.getNextNode());
        Value* const count = builder.CreateZExtOrTrunc(array.getArraySize(), builder.getInt64Ty());
        call(builder, "__ordeal_begin_of_scope", builder.getVoidTy(), &array,
             builder.CreateMul(count, builder.getInt64(size.getFixedValue())));
    }

    // Such arrays lie between the present end of the stack and an earlier one: the end that their block restores or,
    // for alloca(), the end at the function's entry.
    void tell_ends_of_arrays(ArrayRef<IntrinsicInst*> restores) {
        const auto is_lent_array = [&](const AllocaInst* each) { return !each->isStaticAlloca(); };
        if (none_of(lent_, is_lent_array) || function_.isPresplitCoroutine()) return;
        Value* const at_begin =
            IRBuilder<>(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()).CreateStackSave();
        for (IntrinsicInst* const each : restores) tell_end_of_arrays(*each, each->getArgOperand(0));
        for (Instruction* const each : exits_of(function_)) tell_end_of_arrays(*each, at_begin);
    }

    void tell_end_of_arrays(Instruction& before, Value* ended_before) {
        builder_before builder(before);
        Value* const end = builder.CreateStackSave();
        Type* const number = builder.getInt64Ty();
        Value* const size =
            builder.CreateSub(builder.CreatePtrToInt(ended_before, number), builder.CreatePtrToInt(end, number));
        call(builder, "__ordeal_end_of_scope", builder.getVoidTy(), end, size);
    }

    // The caller has copied it to its own stack.
    void tell_argument_by_value(Argument& argument) {
        if (!argument.hasByValAttr() || !is_told(argument)) return;
        const std::uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
        if (size == 0) return;
        builder_before builder(*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        tell_access(builder, &argument, size, true);
    }

    void tell_whole_scope(AllocaInst& variable) {
        tell_scope(*variable.getNextNode(), variable, true);
        for (Instruction* const each : exits_of(function_)) tell_scope(*each, variable, false);
    }

    // ---- Masked vector accesses ----

    static Value* bits_of(IRBuilder<>& builder, Value* mask) {
        auto* const lanes = dyn_cast<FixedVectorType>(mask->getType());
        if (lanes == nullptr || lanes->getNumElements() > 64) return nullptr;
        Value* const bits = builder.CreateBitCast(mask, builder.getIntNTy(lanes->getNumElements()));
        return builder.CreateZExt(bits, builder.getInt64Ty());
    }

    void tell_masked(IntrinsicInst& what, Value* address, Value* mask, Type* vector, bool write) {
        builder_before builder(what);
        Value* const bits = bits_of(builder, mask);
        if (bits == nullptr) return tell_unseen(what, what.getCalledFunction()->getName());
        Value* const size = builder.getInt64(layout_.getTypeStoreSize(vector->getScalarType()));
        if (is_private(address)) return;
        call(builder, write ? "__ordeal_masked_write" : "__ordeal_masked_read", builder.getVoidTy(), address, bits,
             size);
    }

    void tell_scattered(IntrinsicInst& what, Value* addresses, Value* mask, Type* vector, bool write) {
        builder_before builder(what);
        auto* const lanes = dyn_cast<FixedVectorType>(mask->getType());
        if (lanes == nullptr) return tell_unseen(what, what.getCalledFunction()->getName());
        Value* const size = builder.getInt64(layout_.getTypeStoreSize(vector->getScalarType()));
        for (unsigned lane = 0; lane < lanes->getNumElements(); ++lane) {
            Value* const bit = builder.CreateZExt(builder.CreateExtractElement(mask, lane), builder.getInt64Ty());
            call(builder, write ? "__ordeal_masked_write" : "__ordeal_masked_read", builder.getVoidTy(),
                 builder.CreateExtractElement(addresses, lane), bit, size);
        }
    }

    // As many adjacent elements as the mask has ones.
    void tell_packed(IntrinsicInst& what, Value* address, Value* mask, Type* vector, bool write) {
        builder_before builder(what);
        Value* const bits = bits_of(builder, mask);
        if (bits == nullptr) return tell_unseen(what, what.getCalledFunction()->getName());
        Value* const size = builder.getInt64(layout_.getTypeStoreSize(vector->getScalarType()));
        Value* const count = builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits);
        call(builder, write ? "__tsan_write_range" : "__tsan_read_range", builder.getVoidTy(), address,
             builder.CreateMul(count, size));
    }

    // ---- Unchecked code ----

    void tell_text(StringRef function, Instruction& what, const Twine& kind) {
        builder_before builder(what);
        call(builder, function, builder.getVoidTy(), builder.CreateGlobalString(kind.str(), "ordeal.unseen"));
    }
    void tell_unseen(Instruction& what, const Twine& kind) { tell_text("__ordeal_unseen", what, kind); }

    // Redirects to a clock that is the same in each execution.
    void tell_time(CallInst& what) {
        builder_before builder(what);
        Value* const time = call(builder, "__ordeal_time_stamp", builder.getInt64Ty());
        Value* result = time;
        if (auto* const both = dyn_cast<StructType>(what.getType())) {  // rdtscp: also the processor number
            result = builder.CreateInsertValue(Constant::getNullValue(both), time, 0);
        }
        what.replaceAllUsesWith(result);
        what.eraseFromParent();
    }

    // Of what clang_fences.hpp has not replaced.
    void tell_assembler(CallBase& what) {
        if (is_rest_of_fence(what)) return;
        const auto& code = *cast<InlineAsm>(what.getCalledOperand());
        const StringRef text = StringRef(code.getAsmString()).trim();
        // Compiler barriers, and hints of spinning loops to the processor.
        constexpr std::array<StringRef, 7> harmless{"", "pause", "rep; nop", "rep;nop", "rep nop", "nop", "yield"};
        for (const StringRef each : harmless) {
            if (text == each) return;
        }
        std::string line = text.str();
        for (char& each : line) {
            if (!isPrint(each)) each = ' ';
        }
        // Differ in each execution.
        constexpr std::array<StringRef, 4> changing{"rdtsc", "rdpmc", "rdrand", "rdseed"};
        if (any_of(changing, [&](StringRef each) { return text.contains(each); })) {
            return tell_text("__ordeal_refused", what, "assembler, \"" + line + "\",");
        }
        tell_unseen(what, "assembler, \"" + line + "\"");
    }

    // Whether it neither reads nor changes shared memory.
    static bool is_harmless(const IntrinsicInst& what) {
        if (what.doesNotAccessMemory() || what.onlyAccessesInaccessibleMemory() || what.isAssumeLikeIntrinsic())
            return true;
        switch (what.getIntrinsicID()) {
            case Intrinsic::vastart:
            case Intrinsic::vaend:
            case Intrinsic::prefetch:
            case Intrinsic::stacksave:
            case Intrinsic::stackrestore:
            case Intrinsic::eh_typeid_for:
            case Intrinsic::trap:
            case Intrinsic::debugtrap:
            case Intrinsic::ubsantrap:
            case Intrinsic::clear_cache:
            case Intrinsic::x86_sse_sfence:
            case Intrinsic::x86_sse2_lfence:
            case Intrinsic::x86_sse2_pause:
            case Intrinsic::instrprof_increment:
            case Intrinsic::instrprof_increment_step:
            case Intrinsic::instrprof_cover: return true;
            default: return what.getCalledFunction()->getName().starts_with("llvm.coro.");
        }
    }

    void tell_va_copy(IntrinsicInst& what) {
        constexpr std::uint64_t size = 24;  // of va_lists that are more than a pointer
        builder_before builder(what);
        if (!is_private(what.getArgOperand(1))) tell_access(builder, what.getArgOperand(1), size, false);
        if (!is_private(what.getArgOperand(0))) tell_access(builder, what.getArgOperand(0), size, true);
    }

    void tell_intrinsic(IntrinsicInst& what) {
        if (auto* const memory = dyn_cast<MemIntrinsic>(&what)) return tell_memory_function(*memory);
        if (const lifetime_mark marked = lifetime_marked(what); marked.object != nullptr)
            return tell_mark(what, marked);
        if (AllocaInst* const variable = variable_of_scope(what)) {
            return tell_scope(what, *variable, what.getIntrinsicID() == Intrinsic::lifetime_start);
        }
        switch (what.getIntrinsicID()) {
            case Intrinsic::vacopy: return tell_va_copy(what);
            case Intrinsic::masked_load:
                return tell_masked(what, what.getArgOperand(0), what.getArgOperand(2), what.getType(), false);
            case Intrinsic::masked_store:
                return tell_masked(what, what.getArgOperand(1), what.getArgOperand(3), what.getArgOperand(0)->getType(),
                                   true);
            case Intrinsic::masked_gather:
                return tell_scattered(what, what.getArgOperand(0), what.getArgOperand(2), what.getType(), false);
            case Intrinsic::masked_scatter:
                return tell_scattered(what, what.getArgOperand(1), what.getArgOperand(3),
                                      what.getArgOperand(0)->getType(), true);
            case Intrinsic::masked_expandload:
                return tell_packed(what, what.getArgOperand(0), what.getArgOperand(1), what.getType(), false);
            case Intrinsic::masked_compressstore:
                return tell_packed(what, what.getArgOperand(1), what.getArgOperand(2), what.getArgOperand(0)->getType(),
                                   true);
            case Intrinsic::readcyclecounter:
            case Intrinsic::x86_rdtsc:
            case Intrinsic::x86_rdtscp: return tell_time(what);
            case Intrinsic::x86_rdrand_16:
            case Intrinsic::x86_rdrand_32:
            case Intrinsic::x86_rdrand_64:
            case Intrinsic::x86_rdseed_16:
            case Intrinsic::x86_rdseed_32:
            case Intrinsic::x86_rdseed_64:
            case Intrinsic::x86_rdpmc: return tell_text("__ordeal_refused", what, what.getCalledFunction()->getName());
            default:
                if (!is_harmless(what)) tell_unseen(what, what.getCalledFunction()->getName());
        }
    }

    // Arguments that the call copies from memory.
    void tell_arguments(CallBase& what) {
        for (unsigned i = 0; i < what.arg_size(); ++i) {
            if (!what.isByValArgument(i) || is_private(what.getArgOperand(i))) continue;
            builder_before builder(what);
            const TypeSize size = layout_.getTypeStoreSize(what.getParamByValType(i));
            call(builder, "__ordeal_copied_read", builder.getInt64Ty(), what.getArgOperand(i),
                 builder.getInt64(size.getFixedValue()));
        }
    }

    void tell_of(Instruction& each) {
        if (auto* const load = dyn_cast<LoadInst>(&each)) return tell_load(*load);
        if (auto* const store = dyn_cast<StoreInst>(&each)) return tell_store(*store);
        if (auto* const array = dyn_cast<AllocaInst>(&each)) return tell_begin_of_array(*array);
        if (auto* const intrinsic = dyn_cast<IntrinsicInst>(&each)) return tell_intrinsic(*intrinsic);
        if (auto* const called = dyn_cast<CallBase>(&each)) {
            if (called->isInlineAsm()) return tell_assembler(*called);
            const Function* const function = called->getCalledFunction();
            if (function != nullptr && function->hasFnAttribute(Attribute::Naked)) {
                tell_unseen(*called, "a function of assembler, " + function->getName());
            }
            return tell_arguments(*called);
        }
    }

    Function& function_;
    Module& module_;
    const DataLayout& layout_;
    SmallDenseMap<const Value*, bool> private_;
    SmallPtrSet<const Value*, 8> filled_;  // private variables that have been copied to
    copied_values copied_;
    SmallPtrSet<const AllocaInst*, 8> lent_;  // variables whose address may be known when their scope ends
};

}  // namespace

void preserve_source_accesses(Module& module) {
    mark_lifetime_ends(module);
    split_padding_copies(module);
    clear_padding_of_atomics(module);
    mark_reads_of_values(module);
    tell_large_variables(module);
    hide_fortified_calls(module);
    for (Function& function : module) {
        function.removeFnAttr(Attribute::DisableSanitizerInstrumentation);
        if (!function.isIntrinsic()) {
            function.removeFnAttr(Attribute::Memory);
            function.addFnAttr("no-builtins");
        }
        for (Instruction& each : instructions(function)) {
            if (auto* const load = dyn_cast<LoadInst>(&each)) keep_load(*load);
            if (auto* const call = dyn_cast<CallBase>(&each)) keep_call(*call);
        }
    }
}

void replace_unreported_copies(Module& module, bool optimised) {
    constexpr std::uint64_t most_in_line = 32;
    SmallVector<MemIntrinsic*, 32> all;
    for (Function& function : module) {
        for (Instruction& each : instructions(function)) {
            auto* const what = dyn_cast<MemIntrinsic>(&each);
            if (what == nullptr || isa<MemCpyInlineInst, MemSetInlineInst>(what)) continue;
            const auto* const length = dyn_cast<ConstantInt>(what->getLength());
            const bool in_line =
                length != nullptr && length->getZExtValue() <= most_in_line && optimised && !function.hasOptNone();
            if (!in_line && what->getDestAddressSpace() == 0) all.push_back(what);
        }
    }
    for (MemIntrinsic* const each : all) {
        builder_before builder(*each);
        const auto* const transfer = dyn_cast<MemTransferInst>(each);
        if (transfer != nullptr && transfer->getSourceAddressSpace() != 0) continue;
        const StringRef name = transfer == nullptr      ? "__ordeal_unreported_memset"
                               : isa<MemMoveInst>(each) ? "__ordeal_unreported_memmove"
                                                        : "__ordeal_unreported_memcpy";
        Value* const from = transfer == nullptr
                                ? builder.CreateZExt(cast<MemSetInst>(each)->getValue(), builder.getInt32Ty())
                                : transfer->getRawSource();
        Value* const size = builder.CreateZExtOrTrunc(each->getLength(), builder.getInt64Ty());
        const FunctionCallee function = module.getOrInsertFunction(name, builder.getVoidTy(), builder.getPtrTy(),
                                                                   from->getType(), builder.getInt64Ty());
        builder.CreateCall(function, {each->getRawDest(), from, size})->setDoesNotThrow();
        each->eraseFromParent();
    }
}

void instrument_non_atomic_accesses(Module& module) {
    for (Function& function : module) {
        if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked)) continue;
        function_accesses(function).tell();
    }
}

}  // namespace ordeal::compiler
