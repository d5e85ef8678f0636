// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace ordeal {

/// One T for each thread of an execution, by its slot. Most executions have few threads, and most of these never ask for most
/// things: what it costs to forget all, to keep them and to put them back goes by the slots that were asked for.
template <class T>
class per_thread {
public:
    [[nodiscard]] constexpr T& operator[](std::size_t slot) noexcept {
        if (slot >= used_) used_ = slot + 1;
        return all_[slot];
    }
    /// To look at only.
    [[nodiscard]] constexpr const T& at(std::size_t slot) const noexcept { return all_[slot]; }

    /// From the first slot on. All others are as new; some of these may be, too, so a hash must not depend on how many there are.
    [[nodiscard]] std::span<T> used() noexcept { return {all_.data(), used_}; }
    [[nodiscard]] std::span<const T> used() const noexcept { return {all_.data(), used_}; }

    /// All are as new.
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
    // What is a container keeps its memory.
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

}  // namespace ordeal
