// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// The value of a shared mutex: 1 while a writer holds it, plus 2 for each reader. A mutex has writers only.
inline constexpr std::uint64_t unlocked = 0;
inline constexpr std::uint64_t locked_by_writer = 1;
inline constexpr std::uint64_t one_reader = 2;

/// What a read is for.
enum class read_form : std::uint8_t {
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
    wake_up,     ///< a wait on a condition variable returns, notified or not
    notify_all,  ///< of a condition variable
    notify_one,
    enter_queue,  ///< locks the wait queue of a futex
    leave_queue,  ///< a futex wait returns: woken, or at its time limit
    wake,         ///< wakes up to `operand` waiters of a futex
    store,        ///< to a part of an object: for the rest of it, see mixed_sizes
};

/// Whether a read that blocks on the co-maximal write stays blocked until another write is co-maximal.
[[nodiscard]] constexpr bool waits_for_co_max(read_form what) noexcept {
    switch (what) {
        case read_form::lock:
        case read_form::lock_shared:
        case read_form::acquire:
        case read_form::wake_up:
        case read_form::enter_queue:
        case read_form::leave_queue:
        case read_form::wake: return true;
        default: return false;
    }
}

/// Whether such a read has no event while it is blocked: the thread performs it once it can proceed, or once nothing
/// else can happen. Excludes the wait queue of a futex: threads that lock it in another order may behave the same.
[[nodiscard]] constexpr bool waits_without_event(read_form what) noexcept {
    switch (what) {
        case read_form::lock:
        case read_form::lock_shared:
        case read_form::acquire:
        case read_form::wake_up: return true;
        default: return false;
    }
}

/// Whether it cannot be performed after a later write of its thread, whatever its order: a wait that the system ends
/// has ended when its thread goes on, and so has a notification. The read of a store to a part is none of the code on
/// trial.
[[nodiscard]] constexpr bool is_never_delayed(read_form what) noexcept {
    switch (what) {
        case read_form::wake_up:
        case read_form::notify_all:
        case read_form::notify_one:
        case read_form::enter_queue:
        case read_form::leave_queue:
        case read_form::wake:
        case read_form::store: return true;
        default: return false;
    }
}

/// Of a lock or a wait: whether it may stop its thread until it reads something else.
[[nodiscard]] constexpr bool may_block(read_form what) noexcept {
    return waits_for_co_max(what) || what == read_form::wait;
}

/// Of lock_shared(): it is ordered after the last writer alone.
[[nodiscard]] constexpr bool is_shared(read_form what) noexcept {
    return what == read_form::lock_shared || what == read_form::try_lock_shared;
}

/// Whether it belongs to a wait that may return spuriously.
[[nodiscard]] constexpr bool may_end_spuriously(read_form what) noexcept {
    return what == read_form::wake_up || what == read_form::enter_queue || what == read_form::leave_queue;
}

/// Whether such a read by this thread blocks on a value.
[[nodiscard]] inline bool waits_on(read_form what, std::uint64_t value, int thread_id) noexcept {
    switch (what) {
        case read_form::lock: return value != unlocked;
        case read_form::lock_shared: return value == locked_by_writer;
        case read_form::acquire: return value == 0;
        case read_form::leave_queue:
        case read_form::wake_up: return !is_woken(value, thread_id);
        case read_form::enter_queue:
        case read_form::wake: return (value & queue_is_locked) != 0;
        default: return false;
    }
}

}  // namespace ordeal::detail::graph
