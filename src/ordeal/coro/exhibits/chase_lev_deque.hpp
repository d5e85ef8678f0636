// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ordeal::exhibits {

/// A work-stealing deque of positive numbers: the owner pushes and takes at the bottom, any thread steals at the top. The
/// buffer has a fixed size; elements top, top + 1, ..., bottom - 1 are in it. Without `FenceInTake` it is a known mistake.
///
/// Source: D. Chase, Y. Lev, "Dynamic circular work-stealing deque" (SPAA 2005). Orders and fences are those of N. M. Le,
/// A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and efficient work-stealing for weak memory models" (PPoPP 2013).
template <atomic_policy P, std::int64_t Capacity, bool FenceInTake = true>
class chase_lev_deque {
public:
    static constexpr int nothing = 0;  ///< there was no element
    static constexpr int lost = -1;    ///< another thread took the element first

    /// By the owner alone. False: the buffer is full.
    [[nodiscard]] bool push(int value) {
        // order: relaxed: the owner's own.
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        // order: acquire <- steal: an element that was stolen has been read before it is written over.
        const std::int64_t top = top_.load(std::memory_order_acquire);
        if (bottom - top >= Capacity) return false;
        // order: relaxed: the fence below publishes it.
        element(bottom).store(value, std::memory_order_relaxed);
        // order: release -> steal: the element, with the store of bottom below. If it were weaker, a thief may take what was
        //        in the buffer before.
        P::fence(std::memory_order_release);
        // order: relaxed: the fence above is its release.
        bottom_.store(bottom + 1, std::memory_order_relaxed);
        return true;
    }

    /// By the owner alone: the newest element, or nothing.
    [[nodiscard]] int take() {
        // order: relaxed: the owner's own.
        const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
        // order: relaxed: the fence below keeps it before the load of top.
        bottom_.store(bottom, std::memory_order_relaxed);
        // order: seq_cst <-> steal: of an owner that takes and a thief that steals the same element, one at least sees the
        //        other. If it were weaker, both may see old values, and both have it.
        if constexpr (FenceInTake) P::fence(std::memory_order_seq_cst);
        // order: relaxed: the fence above keeps it after the store of bottom.
        std::int64_t top = top_.load(std::memory_order_relaxed);
        if (top > bottom) {
            // order: relaxed: the deque is empty, and hands nothing over.
            bottom_.store(bottom + 1, std::memory_order_relaxed);
            return nothing;
        }
        // order: relaxed: the owner's own.
        int value = element(bottom).load(std::memory_order_relaxed);
        if (top < bottom) return value;
        // The last element: whoever advances top has it.
        // order: (success) seq_cst <-> steal: as published. One of all who try advances top, whatever the order is.
        // order: (failure) relaxed: a thief has the element, and nothing is read of it.
        if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) {
            value = nothing;
        }
        // order: relaxed: the deque is empty, and hands nothing over.
        bottom_.store(bottom + 1, std::memory_order_relaxed);
        return value;
    }

    /// By any thread: the oldest element, nothing, or lost.
    [[nodiscard]] int steal() {
        // order: acquire <- steal: what other thieves did before they advanced top.
        std::int64_t top = top_.load(std::memory_order_acquire);
        // order: seq_cst <-> take: of an owner that takes and a thief that steals the same element, one at least sees the
        //        other. If it were weaker, both may see old values, and both have it.
        P::fence(std::memory_order_seq_cst);
        // order: acquire <- push: the element.
        const std::int64_t bottom = bottom_.load(std::memory_order_acquire);
        if (top >= bottom) return nothing;
        // order: relaxed: bottom has been acquired. What was read counts only if top is still the same below.
        const int value = element(top).load(std::memory_order_relaxed);
        // order: (success) seq_cst <-> take, steal: as published. release -> push: the element has been read.
        // order: (failure) relaxed: another thread has the element, and nothing is read of it.
        if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) {
            return lost;
        }
        return value;
    }

private:
    typename P::template atomic<int>& element(std::int64_t index) {
        return buffer_[static_cast<std::size_t>(index % Capacity)];
    }

    typename P::template atomic<std::int64_t> top_{0};
    typename P::template atomic<std::int64_t> bottom_{0};
    std::array<typename P::template atomic<int>, static_cast<std::size_t>(Capacity)> buffer_{};
};

}  // namespace ordeal::exhibits
