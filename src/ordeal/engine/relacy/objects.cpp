// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/relacy/objects.hpp"

#include <utility>

namespace ordeal::relacy {

std::string object::name() const {
    static constexpr std::array names{"atomic ", "cell ", "mutex ", "frame "};
    return names[static_cast<std::size_t>(kind)] + std::to_string(ordinal);
}

object_table::slot& object_table::slot_for(std::uintptr_t address) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = ((address * 0x9e3779b97f4a7c15u) >> 32) & mask;
    // A slot of an earlier execution is an empty one.
    while (slots_[i].generation == generation_ && slots_[i].address != address) i = (i + 1) & mask;
    return slots_[i];
}

object* object_table::find(std::uintptr_t address) noexcept {
    const slot& found = slot_for(address);
    return found.generation == generation_ ? &objects_[found.index] : nullptr;
}

object& object_table::add(memory_range where, object_kind kind) {
    if (used_ == objects_.size()) objects_.emplace_back();
    if (2 * (used_ + 1) > slots_.size()) grow();
    slot_for(where.address) = {where.address, static_cast<std::uint32_t>(used_), generation_};
    object& result = objects_[used_++];
    auto waiting = std::move(result.waiting);
    waiting.clear();
    result = {};
    result.waiting = std::move(waiting);
    result.where = where;
    result.kind = kind;
    result.ordinal = ++ordinals_[static_cast<std::size_t>(kind)];
    result.alive = true;
    return result;
}

void object_table::clear() noexcept {
    used_ = 0;
    ++generation_;
    ordinals_ = {};
}

void object_table::grow() {
    std::vector<slot> old = std::exchange(slots_, std::vector<slot>(2 * slots_.size()));
    for (const slot& entry : old) {
        if (entry.generation == generation_) slot_for(entry.address) = entry;
    }
}

}  // namespace ordeal::relacy
