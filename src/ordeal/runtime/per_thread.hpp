// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace ordeal::detail {

/// One T for each thread of an execution, by its slot. Most executions have few threads, and most threads need few of
/// these: the cost of clearing, saving and restoring depends on the slots that were used.
template <class T>
class per_thread {
public:
    [[nodiscard]] constexpr T& operator[](std::size_t slot) noexcept {
        if (slot >= used_) used_ = slot + 1;
        return all_[slot];
    }
    /// Read-only access.
    [[nodiscard]] constexpr const T& at(std::size_t slot) const noexcept { return all_[slot]; }

    /// The slots from the first to the last used. All others have their initial value; some of these may have it too,
    /// so a hash must not depend on their number.
    [[nodiscard]] std::span<T> used() noexcept { return {all_.data(), used_}; }
    [[nodiscard]] std::span<const T> used() const noexcept { return {all_.data(), used_}; }

    /// Resets one, as for a new thread in this slot.
    void clear(std::size_t slot) noexcept {
        if (slot < used_) renew(all_[slot]);
    }
    /// Resets all to their initial value.
    void clear() noexcept {
        for (T& each : used()) renew(each);
        used_ = 0;
    }

    void save(snapshot& to) const {
        to.put(used_);
        for (const T& each : used()) to.put(each);
    }
    void restore(snapshot& from) {
        const std::span<T> before = used();
        from.take(used_);
        for (T& each : used()) from.take(each);
        for (std::size_t i = used_; i < before.size(); ++i) renew(before[i]);
    }

private:
    // A container keeps its memory.
    static void renew(T& each) noexcept {
        if constexpr (requires { each.clear(); }) {
            each.clear();
        } else {
            each = T{};
        }
    }

    std::array<T, thread_slots> all_{};
    std::size_t used_ = 0;
};

}  // namespace ordeal::detail
