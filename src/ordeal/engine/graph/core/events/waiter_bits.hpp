// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/view.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

// The value of a condition variable: a bit per thread id for those that wait, and one for those that were woken. All
// operations on it are read-modify-writes, so coherence is the single order of waits and notifications
// ([thread.condition]/3). It adds no synchronisation.
namespace ordeal::detail::graph {

/// The low half has the waiting threads, the high half the woken ones. Construction and finish() (id 0) never wait, so
/// the first bit of each half is free.
inline constexpr int bits_of_threads = 32;
static_assert(max_thread_ids <= bits_of_threads);
inline constexpr std::uint64_t waiting_bits = 0xffff'fffe;

[[nodiscard]] constexpr std::uint64_t waiting_bit(int thread_id) noexcept { return std::uint64_t{1} << thread_id; }
[[nodiscard]] constexpr std::uint64_t woken_bit(int thread_id) noexcept {
    return waiting_bit(thread_id) << bits_of_threads;
}

/// The number of threads that a notify_one() may wake.
[[nodiscard]] constexpr int waiting_threads(std::uint64_t value) noexcept {
    return std::popcount(value & waiting_bits);
}

[[nodiscard]] constexpr std::uint64_t after_notify_all(std::uint64_t value) noexcept {
    return (value & waiting_bits) << bits_of_threads | (value & ~waiting_bits);
}

/// Wakes the `which`-th waiting thread, from 0, in `order`, which is the same in every process of a search. Without
/// waiters the value stays.
[[nodiscard]] inline std::uint64_t after_notify_one(std::uint64_t value, unsigned which,
                                                    const std::vector<int>& order) noexcept {
    for (const int thread_id : order) {
        if ((value & waiting_bit(thread_id)) == 0 || which-- != 0) continue;
        return (value ^ waiting_bit(thread_id)) | woken_bit(thread_id);
    }
    return value;
}

/// The wait returns, notified or not.
[[nodiscard]] constexpr std::uint64_t after_wake_up(std::uint64_t value, int thread_id) noexcept {
    return value & ~(waiting_bit(thread_id) | woken_bit(thread_id));
}

// The wait queue of a futex has the same representation, in an atomic beside the futex word ("man 2 futex": comparing
// and sleeping are one step, in a total order with all other operations on the word).
inline constexpr std::uint64_t queue_is_locked = 1;

/// The largest number of variants that event::variant can hold.
inline constexpr int most_ways_to_wake = 255;

/// Binomial coefficient.
[[nodiscard]] constexpr std::uint64_t ways_to_choose(unsigned some, unsigned of) noexcept {
    std::uint64_t result = 1;
    for (unsigned i = 0; i < some; ++i) result = result * (of - i) / (i + 1);
    return result;
}

/// The number of ways to wake up to `count` waiters, capped at one more than most_ways_to_wake.
[[nodiscard]] constexpr int ways_to_wake(std::uint64_t value, unsigned count) noexcept {
    const auto waiting = static_cast<unsigned>(waiting_threads(value));
    const std::uint64_t all = ways_to_choose(std::min(count, waiting), waiting);
    return static_cast<int>(std::min<std::uint64_t>(all, most_ways_to_wake + 1));
}

/// Wakes up to `count` waiters: the `which`-th such set, from 0, enumerated by `order`.
[[nodiscard]] inline std::uint64_t after_wake(std::uint64_t value, unsigned count, unsigned which,
                                              const std::vector<int>& order) noexcept {
    auto left = static_cast<unsigned>(waiting_threads(value));
    count = std::min(count, left);
    for (const int thread_id : order) {
        if (count == 0 || (value & waiting_bit(thread_id)) == 0) continue;
        const std::uint64_t with_it = ways_to_choose(count - 1, --left);
        if (which >= with_it) {
            which -= static_cast<unsigned>(with_it);
            continue;
        }
        value = (value ^ waiting_bit(thread_id)) | woken_bit(thread_id);
        --count;
    }
    return value;
}

}  // namespace ordeal::detail::graph
