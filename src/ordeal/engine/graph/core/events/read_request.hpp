// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/read_form.hpp"
#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ordeal::detail::graph {

/// The result of a read.
struct seen_value {
    std::uint64_t value = 0;
    event_id id = initial_write;
    event_id rf = initial_write;
    bool spurious = false;
    bool fresh = false;  ///< the read was added in this run
    std::uint8_t variant = 0;
    std::uint32_t began = 0;  ///< step that wrote the object's initial value
};

/// A read that may be half of a read-modify-write.
struct read_request {
    using form = read_form;

    form what = form::load;
    order success = order::relaxed;
    order failure = order::relaxed;
    bool weak = false;
    std::uint64_t expected = 0;
    modification change = modification::exchange;
    std::uint64_t operand = 0;
    std::size_t size = 8;
    bool result_unused = false;
    bool begins_wait = false;                             ///< of the thread on a condition variable or in a queue
    int thread_id = 0;                                    ///< of the waiting thread
    wait_timeout::kind limit = wait_timeout::kind::none;  ///< of a wake_up or leave_queue
    const std::vector<int>* threads = nullptr;            ///< in the order of the search, for a notification
    footprint bytes{};                                    ///< `expected`, `operand` and `size` are of this part

    /// Whether it also writes. A blocked wait on a condition variable may still return spuriously, which is a write.
    [[nodiscard]] bool writes_on(std::uint64_t value) const noexcept {
        switch (what) {
            case form::load:
            case form::wait: return false;
            case form::compare_exchange: return bytes.of(value) == expected;
            case form::lock:
            case form::try_lock: return value == expected;
            case form::lock_shared:
            case form::try_lock_shared: return value != locked_by_writer;
            case form::acquire:
            case form::try_acquire: return value != 0;
            case form::enter_queue:
            case form::leave_queue:
            case form::wake:
            case form::wake_up: return !blocks_on(value);
            case form::modify:
            case form::store:
            case form::notify_all:
            case form::notify_one: break;
        }
        return true;
    }
    [[nodiscard]] bool blocks_on(std::uint64_t value) const noexcept {
        return what == form::wait ? bytes.of(value) == expected : waits_on(what, value, thread_id);
    }
    /// The size of the atomic that it adds to or subtracts from; 0: it does something else.
    [[nodiscard]] std::uint8_t added_bytes() const noexcept {
        const bool adds = change == modification::add || change == modification::subtract;
        const bool whole = !bytes.is_mixed() && size <= sizeof(std::uint64_t);
        return what == form::modify && adds && whole ? static_cast<std::uint8_t>(size) : std::uint8_t{0};
    }
    /// Whether such a read, once blocked, stays blocked until the co-maximal write changes.
    [[nodiscard]] bool waits_for_co_max() const noexcept { return graph::waits_for_co_max(what); }
    /// Whether such a read, once blocked, may proceed without another write: spuriously or at its time limit.
    [[nodiscard]] bool may_end_by_itself() const noexcept {
        return what == form::wake_up || (what == form::leave_queue && limit != wait_timeout::kind::none);
    }
    [[nodiscard]] bool may_be_rmw() const noexcept { return may_write() && what != form::store; }
    [[nodiscard]] bool may_write() const noexcept { return what != form::load && what != form::wait; }
    [[nodiscard]] order order_on(std::uint64_t value) const noexcept {
        if (what == form::store) return order::relaxed;
        const bool may_fail = what == form::compare_exchange || what == form::try_lock ||
                              what == form::try_lock_shared || what == form::try_acquire;
        const bool fails = may_fail && !writes_on(value);
        return fails ? failure : success;
    }
    [[nodiscard]] bool acquires_always() const noexcept {
        return acquires(success) && what != form::store && (what != form::compare_exchange || acquires(failure));
    }
    /// The number of ways to proceed on this value. A wait with a time limit ends before it (variant 0) or at it (1).
    [[nodiscard]] int variants_on(std::uint64_t value) const noexcept {
        if (what == form::wake_up) return limit == wait_timeout::kind::pending ? 2 : 1;
        if (what == form::wake) return ways_to_wake(value, static_cast<unsigned>(operand));
        return what == form::notify_one ? std::max(1, waiting_threads(value)) : 1;
    }
    /// What a read-modify-write stores when it reads `value`.
    [[nodiscard]] std::uint64_t written_on(std::uint64_t value, unsigned variant) const;
};

}  // namespace ordeal::detail::graph
