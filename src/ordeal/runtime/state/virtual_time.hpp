// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal {

/// The time of a thread on trial. Nobody else's goes on with it.
struct virtual_clock {
    std::int64_t passed = 0;   ///< because waits of its own came to their limit: nanoseconds, whole seconds
    std::uint64_t looked = 0;  ///< at a clock, so often, other than to wait
    bool kept = true;          ///< a point in time may be in memory, other than on the thread's own stack

    /// Whether a thread that is in the same state may go on alike. One that has looked at a clock in between may compare
    /// it with what is in memory.
    [[nodiscard]] bool is_equivalent(const virtual_clock& other) const noexcept {
        return passed == other.passed || looked == other.looked || (!kept && !other.kept);
    }
    /// Whether the thread has looked since, and seen no other time.
    [[nodiscard]] bool was_read_without_change(const virtual_clock& later) const noexcept {
        return passed == later.passed && looked != later.looked;
    }
};

namespace virtual_time {

inline constexpr std::int64_t second = 1'000'000'000;

// Where clocks begin: numbers that hardly anything else is.
inline constexpr std::int64_t start_of_calendar = 1'734'567'891 * second;  // in December 2024
inline constexpr std::int64_t start_of_others = 3'338'338'303 * second;

/// A limit further away than some hundred days never comes.
inline constexpr std::int64_t horizon = 10'000'000 * second;

inline constexpr std::array<std::int64_t, 4> units{1, 1'000, 1'000'000, second};
inline constexpr std::array<std::int64_t, 2> starts{start_of_calendar, start_of_others};

/// The same word `passed` earlier, if it holds a point in time of a clock on trial, in any of the usual units.
[[nodiscard]] constexpr std::uint64_t shifted_back(std::uint64_t word, std::int64_t passed) noexcept {
    for (const std::int64_t unit : units) {
        for (const std::int64_t start : starts) {
            const std::uint64_t since = word - static_cast<std::uint64_t>(start / unit);
            if (since <= static_cast<std::uint64_t>(horizon / unit)) {
                return word - static_cast<std::uint64_t>(passed / unit);
            }
        }
    }
    return word;
}

/// Whether a word may hold a point in time that shifted_back() does not know: as a floating-point number, or as 32 bits.
[[nodiscard]] constexpr bool is_unusual_time(std::uint64_t word) noexcept {
    constexpr std::uint64_t end_of_addresses = std::uint64_t{1} << 47;
    const auto is_seconds = [](std::uint64_t half) { return shifted_back(half, second) != half; };
    const std::uint64_t high = word >> 32;
    if (is_seconds(high) || ((high == 0 || word >= end_of_addresses) && is_seconds(word & 0xffff'ffff))) return true;
    const auto number = std::bit_cast<double>(word);
    for (const std::int64_t unit : units) {
        for (const std::int64_t start : starts) {
            const double since = number - static_cast<double>(start) / static_cast<double>(unit);
            if (since >= 0 && since <= static_cast<double>(horizon) / static_cast<double>(unit)) return true;
        }
    }
    return false;
}

/// Whether these bytes may hold a point in time; other than as shifted_back() knows it, if only the `unusual` are asked for.
[[nodiscard]] inline bool in_memory(std::uintptr_t address, std::size_t size, bool unusual) noexcept {
    for (std::size_t done = 0; done < size; done += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, reinterpret_cast<const void*>(address + done), std::min(sizeof(word), size - done));
        const bool usual = shifted_back(word, second) != word;
        if (usual ? !unusual : is_unusual_time(word)) return true;
    }
    return false;
}

}  // namespace virtual_time

}  // namespace ordeal
