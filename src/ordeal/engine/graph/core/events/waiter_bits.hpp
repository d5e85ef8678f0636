// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/view.hpp"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <vector>

// The value of a condition variable: which threads wait, and which were woken. All operations on it are
// read-modify-writes, so coherence is the single order of waits and notifications ([thread.condition]/3). It adds no
// synchronisation.
namespace ordeal::detail::graph {

/// The threads that wait, and those that were woken and have not returned yet, by id.
struct waiters {
    std::bitset<max_thread_ids> waiting;
    std::bitset<max_thread_ids> woken;

    bool operator==(const waiters&) const = default;
};

// The wait queue of a futex has the same representation, in an atomic beside the futex word ("man 2 futex": comparing
// and sleeping are one step, in a total order with all other operations on the word).
inline constexpr std::uint64_t queue_is_locked = 1;

// Construction and finish() (id 0) never wait, so the first bit of each half of a value is free. The first one is that
// of the queue. Where the second one is not set, the halves are the two sets, of the first threads alone. Otherwise the
// rest of the high half is a number that stands for the sets, as wide values have one (word.hpp): it is valid as long
// as this process lives.
inline constexpr std::uint64_t sets_are_numbered = std::uint64_t{1} << 32;

[[nodiscard]] std::uint64_t number_of_waiters(const waiters& which);
[[nodiscard]] const waiters& numbered_waiters(std::uint64_t value) noexcept;

[[nodiscard]] inline waiters waiters_of(std::uint64_t value) noexcept {
    if ((value & sets_are_numbered) != 0) [[unlikely]]
        return numbered_waiters(value);
    return {value & 0xffff'fffe, value >> 32};
}
/// The value without the lock of a queue.
[[nodiscard]] inline std::uint64_t value_of(const waiters& which) {
    if (((which.waiting | which.woken) >> 32).any()) [[unlikely]]
        return number_of_waiters(which);
    return which.woken.to_ullong() << 32 | which.waiting.to_ullong();
}

/// The value that `changes`, which is called with the sets, makes of this one.
template <class Change>
[[nodiscard]] std::uint64_t with_changed_waiters(std::uint64_t value, Change changes) {
    waiters which = waiters_of(value);
    changes(which);
    return value_of(which) | (value & queue_is_locked);
}

[[nodiscard]] inline bool is_waiting(std::uint64_t value, int thread_id) noexcept {
    return waiters_of(value).waiting[static_cast<std::size_t>(thread_id)];
}
[[nodiscard]] inline bool is_woken(std::uint64_t value, int thread_id) noexcept {
    return waiters_of(value).woken[static_cast<std::size_t>(thread_id)];
}

/// The number of threads that a notify_one() may wake.
[[nodiscard]] inline int waiting_threads(std::uint64_t value) noexcept {
    return static_cast<int>(waiters_of(value).waiting.count());
}

/// The thread begins to wait.
[[nodiscard]] inline std::uint64_t with_waiting(std::uint64_t value, int thread_id) {
    return with_changed_waiters(value, [&](waiters& all) { all.waiting.set(static_cast<std::size_t>(thread_id)); });
}

[[nodiscard]] inline std::uint64_t after_notify_all(std::uint64_t value) {
    return with_changed_waiters(value, [](waiters& all) {
        all.woken |= all.waiting;
        all.waiting.reset();
    });
}

/// Wakes the `which`-th waiting thread, from 0, in `order`, which is the same in every process of a search. Without
/// waiters the value stays.
[[nodiscard]] inline std::uint64_t after_notify_one(std::uint64_t value, unsigned which,
                                                    const std::vector<int>& order) {
    return with_changed_waiters(value, [&](waiters& all) {
        for (const int each : order) {
            const auto thread_id = static_cast<std::size_t>(each);
            if (!all.waiting[thread_id] || which-- != 0) continue;
            all.waiting.reset(thread_id);
            all.woken.set(thread_id);
            return;
        }
    });
}

/// The wait returns, notified or not.
[[nodiscard]] inline std::uint64_t after_wake_up(std::uint64_t value, int thread_id) {
    return with_changed_waiters(value, [&](waiters& all) {
        all.waiting.reset(static_cast<std::size_t>(thread_id));
        all.woken.reset(static_cast<std::size_t>(thread_id));
    });
}

/// The largest number of variants that read_data::variant can hold.
inline constexpr int most_ways_to_wake = 255;

/// Binomial coefficient, or, if it is larger than that, some number above 2^56.
[[nodiscard]] constexpr std::uint64_t ways_to_choose(unsigned some, unsigned of) noexcept {
    some = std::min(some, of - some);
    std::uint64_t result = 1;
    for (unsigned i = 0; i < some && result < std::uint64_t{1} << 56; ++i) result = result * (of - i) / (i + 1);
    return result;
}

/// The number of ways to wake up to `count` waiters, capped at one more than most_ways_to_wake.
[[nodiscard]] inline int ways_to_wake(std::uint64_t value, unsigned count) noexcept {
    const auto waiting = static_cast<unsigned>(waiting_threads(value));
    const std::uint64_t all = ways_to_choose(std::min(count, waiting), waiting);
    return static_cast<int>(std::min<std::uint64_t>(all, most_ways_to_wake + 1));
}

/// Wakes up to `count` waiters: the `which`-th such set, from 0, enumerated by `order`.
[[nodiscard]] inline std::uint64_t after_wake(std::uint64_t value, unsigned count, unsigned which,
                                              const std::vector<int>& order) {
    return with_changed_waiters(value, [&](waiters& all) {
        auto left = static_cast<unsigned>(all.waiting.count());
        count = std::min(count, left);
        for (const int each : order) {
            const auto thread_id = static_cast<std::size_t>(each);
            if (count == 0 || !all.waiting[thread_id]) continue;
            const std::uint64_t with_it = ways_to_choose(count - 1, --left);
            if (which >= with_it) {
                which -= static_cast<unsigned>(with_it);
                continue;
            }
            all.waiting.reset(thread_id);
            all.woken.set(thread_id);
            --count;
        }
    });
}

}  // namespace ordeal::detail::graph
