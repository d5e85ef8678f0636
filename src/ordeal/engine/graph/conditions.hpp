// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

// A condition variable is an atomic that holds who waits and who was woken: a bit for each thread number. All operations
// on it are read-modify-writes, so its coherence is the order in which waits began and notifications were made
// ([thread.condition]/3); it orders nothing else.
namespace ordeal::graph {

/// Spurious ends of waits that are followed in one thread; those that lead nowhere do not count.
inline constexpr unsigned most_wake_ups = 8;

/// Turns of a thread that takes a lock, fails to take another, and gives the first one back, without any effect.
inline constexpr unsigned most_lock_turns = 2;

[[nodiscard]] constexpr std::uint64_t waiting_bit(int number) noexcept { return std::uint64_t{1} << number; }
[[nodiscard]] constexpr std::uint64_t woken_bit(int number) noexcept { return std::uint64_t{1} << (number + 16); }

/// How many threads a single notification could be for.
[[nodiscard]] constexpr int waiting_threads(std::uint64_t value) noexcept { return std::popcount(value & 0xffff); }

[[nodiscard]] constexpr std::uint64_t after_notify_all(std::uint64_t value) noexcept {
    return (value & 0xffff) << 16 | (value & 0xffff'0000);
}

/// For the `which`-th waiting thread, from 0, in this order of numbers, which is the same in every process of a search;
/// nobody waits: nothing happens.
[[nodiscard]] inline std::uint64_t after_notify_one(std::uint64_t value, unsigned which,
                                                    const std::vector<int>& order) noexcept {
    for (const int number : order) {
        if ((value & waiting_bit(number)) == 0 || which-- != 0) continue;
        return (value ^ waiting_bit(number)) | woken_bit(number);
    }
    return value;
}

/// The thread goes on, notified or not.
[[nodiscard]] constexpr std::uint64_t after_wake_up(std::uint64_t value, int number) noexcept {
    return value & ~(waiting_bit(number) | woken_bit(number));
}

}  // namespace ordeal::graph
