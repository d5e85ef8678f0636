// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/events/conditions.hpp"
#include "ordeal/model/byte_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ordeal::graph {

/// A lock that readers share: 1 while a writer holds it, two for each reader. A mutex has writers only.
inline constexpr std::uint64_t unlocked = 0;
inline constexpr std::uint64_t locked_by_writer = 1;
inline constexpr std::uint64_t one_reader = 2;

/// A read that may be half of a read-modify-write.
struct read_request {
    enum class form : std::uint8_t {
        load,
        modify,
        compare_exchange,
        lock,
        try_lock,
        lock_shared,
        try_lock_shared,
        acquire,  ///< of a semaphore
        try_acquire,
        wait,        ///< for a value other than `expected`
        wake_up,     ///< the end of a wait on a condition variable, notified or not
        notify_all,  ///< of a condition variable
        notify_one,
        enter_line,  ///< of those who wait on a futex: nobody else changes it meanwhile
        leave_line,  ///< of a futex: woken, or at a time limit
        wake,        ///< up to `operand` of those who wait on a futex
    };

    form what = form::load;
    order success = order::relaxed;
    order failure = order::relaxed;
    bool weak = false;
    std::uint64_t expected = 0;
    modification change = modification::exchange;
    std::uint64_t operand = 0;
    std::size_t size = 8;
    int thread_id = 0;                                ///< of the thread that waits
    wait_limit::kind limit = wait_limit::kind::none;  ///< of a wake-up
    const std::vector<int>* threads = nullptr;        ///< in order, for a notification

    /// Whether it writes, too. A wait on a condition variable that blocks may still end spuriously, and writes then.
    [[nodiscard]] bool writes_on(std::uint64_t value) const noexcept {
        switch (what) {
            case form::load:
            case form::wait: return false;
            case form::compare_exchange:
            case form::lock:
            case form::try_lock: return value == expected;
            case form::lock_shared:
            case form::try_lock_shared: return value != locked_by_writer;
            case form::acquire:
            case form::try_acquire: return value != 0;
            case form::enter_line:
            case form::leave_line:
            case form::wake:
            case form::wake_up: return !blocks_on(value);
            case form::modify:
            case form::notify_all:
            case form::notify_one: break;
        }
        return true;
    }
    [[nodiscard]] bool blocks_on(std::uint64_t value) const noexcept {
        switch (what) {
            case form::lock: return value != expected;
            case form::lock_shared: return value == locked_by_writer;
            case form::acquire: return value == 0;
            case form::wait: return value == expected;
            case form::leave_line:
            case form::wake_up: return (value & woken_bit(thread_id)) == 0;
            case form::enter_line:
            case form::wake: return (value & line_is_entered) != 0;
            default: return false;
        }
    }
    /// Whether a blocked one is blocked for as long as nothing else is newest.
    [[nodiscard]] bool waits_for_newest() const noexcept {
        switch (what) {
            case form::lock:
            case form::lock_shared:
            case form::acquire:
            case form::wake_up:
            case form::enter_line:
            case form::leave_line:
            case form::wake: return true;
            default: return false;
        }
    }
    /// Whether it may go on where it blocks: for no reason, or because its limit has come.
    [[nodiscard]] bool may_end_by_itself() const noexcept {
        return what == form::wake_up || (what == form::leave_line && limit != wait_limit::kind::none);
    }
    [[nodiscard]] bool may_block() const noexcept { return waits_for_newest() || what == form::wait; }
    [[nodiscard]] bool may_write() const noexcept { return what != form::load && what != form::wait; }
    [[nodiscard]] bool shares() const noexcept { return what == form::lock_shared || what == form::try_lock_shared; }
    [[nodiscard]] order order_on(std::uint64_t value) const noexcept {
        const bool may_fail = what == form::compare_exchange || what == form::try_lock ||
                              what == form::try_lock_shared || what == form::try_acquire;
        const bool fails = may_fail && !writes_on(value);
        return fails ? failure : success;
    }
    /// How many different things it can do with this value. A wait with a limit ends before it or, in the second, at it.
    [[nodiscard]] int variants_on(std::uint64_t value) const noexcept {
        if (what == form::wake_up) return limit == wait_limit::kind::ahead ? 2 : 1;
        if (what == form::wake) return ways_to_wake(value, static_cast<unsigned>(operand));
        return what == form::notify_one ? std::max(1, waiting_threads(value)) : 1;
    }
    /// The value that a read-modify-write puts in place of `value`.
    [[nodiscard]] std::uint64_t written_on(std::uint64_t value, unsigned variant) const noexcept;
};

}  // namespace ordeal::graph
