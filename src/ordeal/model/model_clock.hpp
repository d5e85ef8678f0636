// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

namespace ordeal {

/// The time of a thread on trial. Nobody else's goes on with it.
struct thread_clock {
    std::int64_t passed = 0;   ///< because waits of its own came to their limit: nanoseconds, whole seconds
    std::uint64_t looked = 0;  ///< at a clock, so often, other than to wait

    /// Whether a thread that is in the same state may go on alike. One that has looked at a clock in between may compare
    /// it with what is in memory.
    [[nodiscard]] bool alike(const thread_clock& other) const noexcept {
        return passed == other.passed || looked == other.looked;
    }
};

namespace model_clock {

inline constexpr std::int64_t second = 1'000'000'000;

// Where clocks begin: numbers that hardly anything else is.
inline constexpr std::int64_t start_of_calendar = 1'734'567'891 * second;  // in December 2024
inline constexpr std::int64_t start_of_others = 3'338'338'303 * second;

/// A limit further away than some hundred days never comes.
inline constexpr std::int64_t horizon = 10'000'000 * second;

inline constexpr std::array<std::int64_t, 4> units{1, 1'000, 1'000'000, second};
inline constexpr std::array<std::int64_t, 2> starts{start_of_calendar, start_of_others};

/// The same word `passed` earlier, if it holds a point in time of a clock on trial, in any of the usual units.
[[nodiscard]] constexpr std::uint64_t set_back(std::uint64_t word, std::int64_t passed) noexcept {
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

}  // namespace model_clock

}  // namespace ordeal
