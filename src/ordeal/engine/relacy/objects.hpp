// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/memory.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ordeal::relacy {

/// An atomic, cell, mutex or frame of the code on trial.
struct object {
    memory_range where;
    object_kind kind = object_kind::cell;
    std::uint32_t ordinal = 0;  ///< the n-th of its kind in this execution, from 1
    bool alive = false;
    bool initialised = false;
    void* shadow = nullptr;        ///< relacy::shadow_*
    void* handle = nullptr;        ///< relacy::atomic_* or mutex_*
    std::uint32_t last_write = 0;  ///< step of the newest plain write or the beginning of its life
    int last_thread = -1;
    unsigned writes = 0;   ///< to an atomic, the initial value included
    unsigned writers = 0;  ///< bit set of the threads that wrote it after construction
    bool plain_stores = false;
    bool modified = false;     ///< by a read-modify-write
    std::vector<int> waiting;  ///< threads blocked until it changes

    [[nodiscard]] std::string name() const;  ///< "atomic 2"
};

/// The objects of one execution, by the address at which they begin. References stay valid until clear().
class object_table {
public:
    /// The newest object at this address, alive or not; null when there never was one.
    [[nodiscard]] object* find(std::uintptr_t address) noexcept;
    object& add(memory_range where, object_kind kind);
    void clear() noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return used_; }
    [[nodiscard]] object& operator[](std::size_t index) noexcept { return objects_[index]; }

private:
    struct slot {
        std::uintptr_t address = 0;
        std::uint32_t index = 0;
        std::uint32_t generation = 0;
    };

    [[nodiscard]] slot& slot_for(std::uintptr_t address) noexcept;
    void grow();

    std::deque<object> objects_;  // kept between executions, so that nothing is allocated again
    std::size_t used_ = 0;
    std::vector<slot> slots_ = std::vector<slot>(256);
    std::uint32_t generation_ = 1;
    std::array<std::uint32_t, 4> ordinals_{};
};

}  // namespace ordeal::relacy
