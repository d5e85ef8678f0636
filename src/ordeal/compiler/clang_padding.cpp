// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_padding.hpp"

#include "clang_lifetimes.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace ordeal::compiler {

using namespace llvm;

namespace {

constexpr StringRef padding_scope = "ordeal.padding";
constexpr std::uint64_t largest = 4'096;  // bytes of a class that is examined
constexpr std::size_t most_parts = 16;    // of one copy

// ---- Types ----

bool add_members(const DIType* type, std::uint64_t offset, BitVector& members);

bool add_whole(std::uint64_t first, std::uint64_t size, BitVector& members) {
    if (first + size > members.size()) return false;
    if (size != 0) members.set(static_cast<unsigned>(first), static_cast<unsigned>(first + size));
    return true;
}

bool add_array(const DICompositeType& array, std::uint64_t offset, BitVector& members) {
    const DIType* const element = without_qualifiers(array.getBaseType());
    const std::uint64_t size = element == nullptr ? 0 : element->getSizeInBits() / 8;
    if (size == 0) return add_whole(offset, array.getSizeInBits() / 8, members);
    for (std::uint64_t at = 0; at < array.getSizeInBits() / 8; at += size) {
        if (!add_members(element, offset + at, members)) return false;
    }
    return true;
}

bool add_part(const DIDerivedType& part, std::uint64_t offset, BitVector& members) {
    if (part.isStaticMember()) return true;
    if (part.getTag() == dwarf::DW_TAG_inheritance) {
        return (part.getFlags() & DINode::FlagVirtual) == 0 &&
               add_members(without_qualifiers(part.getBaseType()), offset + part.getOffsetInBits() / 8, members);
    }
    if (part.getTag() != dwarf::DW_TAG_member) return true;
    if (part.isBitField()) {
        const std::uint64_t first = part.getOffsetInBits() / 8;
        const std::uint64_t last = (part.getOffsetInBits() + part.getSizeInBits() + 7) / 8;
        return add_whole(offset + first, last - first, members);
    }
    return add_members(without_qualifiers(part.getBaseType()), offset + part.getOffsetInBits() / 8, members);
}

// Returns false if the members are unknown. The contents of a union are unknown too, so all its bytes count as members.
bool add_members(const DIType* type, std::uint64_t offset, BitVector& members) {
    if (type == nullptr) return false;
    const auto* const made = dyn_cast<DICompositeType>(type);
    if (made == nullptr || made->getTag() == dwarf::DW_TAG_union_type ||
        made->getTag() == dwarf::DW_TAG_enumeration_type) {
        return add_whole(offset, type->getSizeInBits() / 8, members);
    }
    if (made->isForwardDecl()) return false;
    if (made->getTag() == dwarf::DW_TAG_array_type) return add_array(*made, offset, members);
    return all_of(made->getElements(), [&](const DINode* each) {
        const auto* const part = dyn_cast_or_null<DIDerivedType>(each);
        return part == nullptr || add_part(*part, offset, members);
    });
}

// The bytes of a class that belong to its members; nothing if all do, or the members are unknown.
std::optional<BitVector> members_of(const DIType* type) {
    type = without_qualifiers(type);
    if (!isa_and_nonnull<DICompositeType>(type)) return std::nullopt;
    const std::uint64_t size = type->getSizeInBits() / 8;
    if (size == 0 || size > largest) return std::nullopt;
    BitVector members(static_cast<unsigned>(size));
    if (!add_members(type, 0, members) || members.all() || members.none()) return std::nullopt;
    return members;
}

// ---- Where a type is known ----

// With optimisation, the compiler has assignments to the variable instead of its declaration.
const DILocalVariable* variable_in(AllocaInst& memory) {
    for (const DbgVariableRecord* const each : findDVRDeclares(&memory)) {
        if (each->getExpression()->getNumElements() == 0) return each->getVariable();
    }
    for (const DbgVariableRecord* const each : at::getDVRAssignmentMarkers(&memory)) {
        if (each->getAddress() == &memory && !each->getExpression()->getFragmentInfo() &&
            each->getAddressExpression()->getNumElements() == 0) {
            return each->getVariable();
        }
    }
    return nullptr;
}

const DIType* pointee_of(const DIType* type) {
    const auto* const pointer = dyn_cast_or_null<DIDerivedType>(without_qualifiers(type));
    if (pointer == nullptr) return nullptr;
    const unsigned tag = pointer->getTag();
    const bool points = tag == dwarf::DW_TAG_pointer_type || tag == dwarf::DW_TAG_reference_type ||
                        tag == dwarf::DW_TAG_rvalue_reference_type;
    return points ? without_qualifiers(pointer->getBaseType()) : nullptr;
}

// The type of a variable, or of the object that a variable points to.
const DIType* type_at(Value* address) {
    if (auto* const memory = dyn_cast<AllocaInst>(address)) {
        const DILocalVariable* const variable = variable_in(*memory);
        return variable == nullptr ? nullptr : without_qualifiers(variable->getType());
    }
    const auto* const load = dyn_cast<LoadInst>(address);
    if (load == nullptr) return nullptr;
    auto* const memory = dyn_cast<AllocaInst>(const_cast<Value*>(load->getPointerOperand()));
    const DILocalVariable* const variable = memory == nullptr ? nullptr : variable_in(*memory);
    return variable == nullptr ? nullptr : pointee_of(variable->getType());
}

// The members copied by an assignment of classes, as listed by the compiler.
std::optional<BitVector> listed_members(const MemTransferInst& copy, std::uint64_t size) {
    const MDNode* const list = copy.getMetadata(LLVMContext::MD_tbaa_struct);
    if (list == nullptr) return std::nullopt;
    BitVector members(static_cast<unsigned>(size));
    for (unsigned i = 0; i + 2 < list->getNumOperands(); i += 3) {
        const auto* const first = mdconst::dyn_extract<ConstantInt>(list->getOperand(i));
        const auto* const count = mdconst::dyn_extract<ConstantInt>(list->getOperand(i + 1));
        if (first == nullptr || count == nullptr) return std::nullopt;
        if (!add_whole(first->getZExtValue(), count->getZExtValue(), members)) return std::nullopt;
    }
    if (members.all() || members.none()) return std::nullopt;
    return members;
}

std::optional<BitVector> members_copied(MemTransferInst& copy, std::uint64_t size) {
    if (auto listed = listed_members(copy, size)) return listed;
    for (Value* const each : {copy.getRawDest(), copy.getRawSource()}) {
        const DIType* const type = type_at(each);
        if (type == nullptr || type->getSizeInBits() / 8 != size) continue;
        if (auto known = members_of(type)) return known;
    }
    return std::nullopt;
}

// ---- Copies ----

// Metadata that no optimisation removes from an access or from those that it is split into.
void mark_as_padding(Instruction& access) {
    LLVMContext& context = access.getContext();
    auto* const kind = MDString::get(context, padding_scope);
    auto* const domain = MDNode::get(context, {kind});
    auto* const scope = MDNode::get(context, {kind, domain, kind});
    access.setMetadata(LLVMContext::MD_alias_scope, MDNode::get(context, {scope}));
}

struct run_of_bytes {
    unsigned begin;
    unsigned end;
    bool of_members;
};

SmallVector<run_of_bytes, 8> runs_of(const BitVector& members) {
    SmallVector<run_of_bytes, 8> result;
    for (unsigned i = 0; i < members.size(); ++i) {
        if (result.empty() || result.back().of_members != members[i]) result.push_back({i, i, members[i]});
        result.back().end = i + 1;
    }
    return result;
}

void take_apart(MemTransferInst& copy) {
    const auto* const length = dyn_cast<ConstantInt>(copy.getLength());
    if (length == nullptr || copy.isVolatile() || length->getZExtValue() > largest) return;
    const auto members = members_copied(copy, length->getZExtValue());
    if (!members) return;
    const auto runs = runs_of(*members);
    if (runs.size() > most_parts) return;
    IRBuilder<> builder(&copy);
    for (const run_of_bytes& each : runs) {
        Value* const to = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), each.begin);
        Value* const from = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawSource(), each.begin);
        const Align to_align = commonAlignment(copy.getDestAlign().valueOrOne(), each.begin);
        const Align from_align = commonAlignment(copy.getSourceAlign().valueOrOne(), each.begin);
        const std::uint64_t size = each.end - each.begin;
        CallInst* const part = isa<MemMoveInst>(copy) ? builder.CreateMemMove(to, to_align, from, from_align, size)
                                                      : builder.CreateMemCpy(to, to_align, from, from_align, size);
        if (!each.of_members) mark_as_padding(*part);
    }
    copy.eraseFromParent();
}

// ---- Atomics ----

const DIType* value_type_of_atomic(const Function& function) {
    const DISubprogram* const known = function.getSubprogram();
    const auto* const type = known == nullptr ? nullptr : dyn_cast_or_null<DICompositeType>(known->getScope());
    if (type == nullptr) return nullptr;
    const StringRef name = type->getName();
    if (!name.starts_with("atomic<") && !name.starts_with("atomic_ref<") && !name.starts_with("__atomic_ref<")) {
        return nullptr;
    }
    for (const DITemplateParameter* const each : type->getTemplateParams()) {
        if (isa<DITemplateTypeParameter>(each)) return without_qualifiers(each->getType());
    }
    return nullptr;
}

void clear_padding(IRBuilder<>& builder, Value* object, const BitVector& members) {
    for (const run_of_bytes& each : runs_of(members)) {
        if (each.of_members) continue;
        for (unsigned i = each.begin; i < each.end; ++i) {
            Value* const byte = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), object, i);
            mark_as_padding(*builder.CreateStore(builder.getInt8(0), byte));
        }
    }
}

// Zeros the padding of parameters passed by value and of expected values, once the function has stored them in memory.
void clear_padding_of_parameters(Function& function, const DIType& type, const BitVector& members) {
    StoreInst* last = nullptr;
    SmallVector<Value*, 4> found;
    for (Instruction& each : function.getEntryBlock()) {
        auto* const store = dyn_cast<StoreInst>(&each);
        if (store == nullptr) continue;
        auto* const memory = dyn_cast<AllocaInst>(store->getPointerOperand());
        if (memory == nullptr || !isa<Argument>(store->getValueOperand())) break;
        last = store;
        const DILocalVariable* const variable = variable_in(*memory);
        if (variable == nullptr) continue;
        if (without_qualifiers(variable->getType()) == &type) found.push_back(memory);
        const auto* const reference = dyn_cast<DIDerivedType>(without_qualifiers(variable->getType()));
        if (reference != nullptr && reference->getTag() == dwarf::DW_TAG_reference_type &&
            reference->getBaseType() == &type) {
            found.push_back(store->getValueOperand());
        }
    }
    if (last == nullptr) return;
    IRBuilder<> builder(last->getNextNode());
    for (Value* const each : found) clear_padding(builder, each, members);
}

}  // namespace

void split_padding_copies(Module& module) {
    for (Function& function : module) {
        for (Instruction& each : make_early_inc_range(instructions(function))) {
            if (auto* const copy = dyn_cast<MemTransferInst>(&each)) take_apart(*copy);
        }
    }
}

bool is_padding_access(const Instruction& access) {
    const MDNode* const scopes = access.getMetadata(LLVMContext::MD_alias_scope);
    return scopes != nullptr && any_of(scopes->operands(), [](const MDOperand& each) {
               const auto* const scope = dyn_cast_or_null<MDNode>(each.get());
               return scope != nullptr && any_of(scope->operands(), [](const MDOperand& part) {
                          const auto* const name = dyn_cast_or_null<MDString>(part.get());
                          return name != nullptr && name->getString() == padding_scope;
                      });
           });
}

void clear_padding_of_atomics(Module& module) {
    for (Function& function : module) {
        if (function.isDeclaration()) continue;
        const DIType* const type = value_type_of_atomic(function);
        if (type == nullptr) continue;
        if (const auto members = members_of(type)) clear_padding_of_parameters(function, *type, *members);
    }
}

}  // namespace ordeal::compiler
