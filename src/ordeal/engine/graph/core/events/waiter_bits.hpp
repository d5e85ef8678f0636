// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/view.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

// A condition variable is an atomic that holds who waits and who was woken: a bit for each thread id. All operations
// on it are read-modify-writes, so its coherence is the order in which waits began and notifications were made
// ([thread.condition]/3); it orders nothing else.
namespace ordeal::graph {

/// Those of the threads that wait come first, then those of the threads that were woken. Construction and finish() wait for nothing,
/// so the first bit of each is free.
inline constexpr int bits_of_threads = 32;
static_assert(max_thread_ids <= bits_of_threads);
inline constexpr std::uint64_t waiting_bits = 0xffff'fffe;

[[nodiscard]] constexpr std::uint64_t waiting_bit(int thread_id) noexcept { return std::uint64_t{1} << thread_id; }
[[nodiscard]] constexpr std::uint64_t woken_bit(int thread_id) noexcept {
    return waiting_bit(thread_id) << bits_of_threads;
}

/// How many threads a single notification could be for.
[[nodiscard]] constexpr int waiting_threads(std::uint64_t value) noexcept {
    return std::popcount(value & waiting_bits);
}

[[nodiscard]] constexpr std::uint64_t after_notify_all(std::uint64_t value) noexcept {
    return (value & waiting_bits) << bits_of_threads | (value & ~waiting_bits);
}

/// For the `which`-th waiting thread, from 0, in this order of numbers, which is the same in every process of a search;
/// nobody waits: nothing happens.
[[nodiscard]] inline std::uint64_t after_notify_one(std::uint64_t value, unsigned which,
                                                    const std::vector<int>& order) noexcept {
    for (const int thread_id : order) {
        if ((value & waiting_bit(thread_id)) == 0 || which-- != 0) continue;
        return (value ^ waiting_bit(thread_id)) | woken_bit(thread_id);
    }
    return value;
}

/// The thread goes on, notified or not.
[[nodiscard]] constexpr std::uint64_t after_wake_up(std::uint64_t value, int thread_id) noexcept {
    return value & ~(waiting_bit(thread_id) | woken_bit(thread_id));
}

// Who waits on a futex is kept in the same way, beside the word itself ("man 2 futex": comparing and going to sleep are one
// step, in one order with all other operations on the word).
inline constexpr std::uint64_t line_is_entered = 1;

/// An event has a place for so many.
inline constexpr int most_ways_to_wake = 255;

/// In how many ways some of so many threads can be chosen.
[[nodiscard]] constexpr std::uint64_t ways_to_choose(unsigned some, unsigned of) noexcept {
    std::uint64_t result = 1;
    for (unsigned i = 0; i < some; ++i) result = result * (of - i) / (i + 1);
    return result;
}

/// In how many ways up to `count` of those who wait can be woken; of more than there is a place for, one too many.
[[nodiscard]] constexpr int ways_to_wake(std::uint64_t value, unsigned count) noexcept {
    const auto waiting = static_cast<unsigned>(waiting_threads(value));
    const std::uint64_t all = ways_to_choose(std::min(count, waiting), waiting);
    return static_cast<int>(std::min<std::uint64_t>(all, most_ways_to_wake + 1));
}

/// Up to `count` of those who wait are woken: the `which`-th such set, from 0, by this order of numbers.
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

}  // namespace ordeal::graph
