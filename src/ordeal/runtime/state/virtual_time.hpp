// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ordeal::detail {

/// The clock of a thread on trial. It does not advance for others.
struct virtual_clock {
    std::int64_t passed = 0;     ///< by its own waits that timed out: nanoseconds, whole seconds
    std::uint64_t looked = 0;    ///< how often it read a clock, other than to wait
    bool kept = true;            ///< a point in time may be in memory outside the thread's own stack
    std::uint32_t advances = 0;  ///< how often it has advanced, in a way that others may know of

    /// Whether a thread in an otherwise equal state may continue alike. A thread that has read a clock in between may
    /// compare it with a time in memory.
    [[nodiscard]] bool is_equivalent(const virtual_clock& other) const noexcept {
        return passed == other.passed || looked == other.looked || (!kept && !other.kept);
    }
    /// Whether the thread has read the clock since without seeing it advance.
    [[nodiscard]] bool was_read_without_change(const virtual_clock& later) const noexcept {
        return passed == later.passed && looked != later.looked;
    }
};

namespace virtual_time {

inline constexpr std::int64_t second = 1'000'000'000;

// Initial values of the clocks: values that are unlikely to occur otherwise.
inline constexpr std::int64_t start_of_calendar = 1'734'567'891 * second;  // in December 2024
inline constexpr std::int64_t start_of_others = 3'338'338'303 * second;

/// A time limit more than about a hundred days ahead is never reached.
inline constexpr std::int64_t horizon = 10'000'000 * second;

inline constexpr std::array<std::int64_t, 4> units{1, 1'000, 1'000'000, second};
inline constexpr std::array<std::int64_t, 2> starts{start_of_calendar, start_of_others};

/// The same word shifted back by `passed` if it holds a time of a clock on trial in one of the usual units.
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

/// Whether a word may hold a time in a format that shifted_back() does not recognise: floating-point, or 32 bits.
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

/// Whether these bytes may hold a time; if `unusual`, only formats that shifted_back() does not recognise count.
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

}  // namespace ordeal::detail
