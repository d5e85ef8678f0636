// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// What every engine keeps about an atomic, cell, mutex or frame of the code on trial.
struct tracked_object {
    memory_range where;
    object_kind kind = object_kind::cell;
    std::uint32_t ordinal = 0;  ///< the n-th of its kind in this execution, from 1
    bool alive = false;
    bool initialised = false;
    std::uint32_t last_write = 0;  ///< step of the latest non-atomic write or the beginning of its lifetime

    /// "atomic 2"
    [[nodiscard]] std::string name() const { return std::string(to_string(kind)) + ' ' + std::to_string(ordinal); }
};

/// The objects of one execution, by the address at which they begin. References stay valid until clear(). `Object` is a
/// tracked_object with renew(), which resets it and may keep its memory.
template <class Object>
class object_table {
public:
    /// The latest object at this address, alive or not; null if there never was one.
    [[nodiscard]] Object* find(std::uintptr_t address) noexcept {
        const slot& found = slot_for(address);
        return found.generation == generation_ ? &objects_[found.index] : nullptr;
    }

    Object& add(memory_range where, object_kind kind) {
        if (used_ == objects_.size()) objects_.emplace_back();
        if (2 * (used_ + 1) > slots_.size()) grow();
        slot_for(where.address) = {where.address, static_cast<std::uint32_t>(used_), generation_};
        Object& result = objects_[used_++];
        result.renew();
        result.where = where;
        result.kind = kind;
        result.ordinal = ++ordinals_[static_cast<std::size_t>(kind)];
        result.alive = true;
        return result;
    }

    /// Saves all objects; restore() undoes it.
    void save(snapshot& to) const {
        to.put(used_);
        for (std::size_t i = 0; i < used_; ++i) to.put(objects_[i]);
        to.put(ordinals_);
    }
    void restore(snapshot& from) {
        clear();
        std::size_t count = 0;
        from.take(count);
        while (objects_.size() < count) objects_.emplace_back();
        while (2 * (count + 1) > slots_.size()) grow();
        for (; used_ < count; ++used_) {
            Object& next = objects_[used_];
            from.take(next);
            slot_for(next.where.address) = {next.where.address, static_cast<std::uint32_t>(used_), generation_};
        }
        from.take(ordinals_);
    }

    void clear() noexcept {
        used_ = 0;
        ++generation_;
        ordinals_ = {};
    }

    [[nodiscard]] std::size_t size() const noexcept { return used_; }
    [[nodiscard]] Object& operator[](std::size_t index) noexcept { return objects_[index]; }
    [[nodiscard]] const Object& operator[](std::size_t index) const noexcept { return objects_[index]; }

private:
    struct slot {
        std::uintptr_t address = 0;
        std::uint32_t index = 0;
        std::uint32_t generation = 0;
    };

    [[nodiscard]] slot& slot_for(std::uintptr_t address) noexcept {
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = ((address * 0x9e3779b97f4a7c15u) >> 32) & mask;
        // A slot of an earlier execution is empty.
        while (slots_[i].generation == generation_ && slots_[i].address != address) i = (i + 1) & mask;
        return slots_[i];
    }

    void grow() {
        std::vector<slot> old = std::exchange(slots_, std::vector<slot>(2 * slots_.size()));
        for (const slot& entry : old) {
            if (entry.generation == generation_) slot_for(entry.address) = entry;
        }
    }

    std::deque<Object> objects_;  // reused between executions to avoid allocation
    std::size_t used_ = 0;
    std::vector<slot> slots_ = std::vector<slot>(256);
    std::uint32_t generation_ = 1;
    std::array<std::uint32_t, 5> ordinals_{};
};

}  // namespace ordeal::detail
