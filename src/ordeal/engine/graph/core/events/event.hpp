// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_id.hpp"
#include "ordeal/engine/graph/core/events/read_form.hpp"
#include "ordeal/runtime/order.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// An atomic or a lock: the thread that constructed it and its number among that thread's objects. Where no constructor
/// is visible: the address and its number among the objects there. The same in every run of a graph.
using location = std::uint64_t;
inline constexpr location no_location =
    ~location{0};  ///< of events that access no memory; or not known before the event has been run

/// The kinds of events. Locks, waits and notifications are reads and writes, see read_form.
enum class event_kind : std::uint8_t {
    read,
    write,
    fence,
    creation,    ///< of a thread; `value` is its id
    allocation,  ///< that may reuse freed memory; `value` is the free_name of the block, or 0 for fresh memory
    arrival,     ///< at a barrier or a latch, unordered with the other arrivals there; see arrivals
    beginning,   ///< of a thread that has the id of a joined one: what comes before it in program order is that one's
};

/// Whether a read is a redundant retry: its thread continues as in another execution in which an earlier read took its
/// value from the same write. Blocking the thread then loses nothing. See retries.
enum class retry_status : std::uint8_t {
    unknown,
    redundant,  ///< it is, and its thread is blocked
    needed,
};

/// An event of an execution. A read-modify-write is two: a read, and directly after it a write with `rmw`.
struct event {
    std::uint64_t value = 0;  ///< of a write, a creation or an allocation
    location where = no_location;
    event_id rf = initial_write;  ///< of a read: the write that it reads from
    /// Of the read of a wait that returns spuriously: a mutex write that makes the spurious return redundant, if known.
    event_id redundant_wake_up_write = initial_write;
    event_index index = 0;       ///< which of its thread's events, from 0
    std::uint8_t thread_id = 0;  ///< of the thread
    event_kind kind = event_kind::read;
    order using_order = order::relaxed;
    bool acquires_always = false;  ///< of a read: acquires; a compare-exchange on success and on failure
    bool rmw = false;        ///< a write that is half of a read-modify-write: directly after its `rf` in coherence
    bool spurious = false;   ///< fails, or returns from a wait, spuriously; of a futex wait this is its fence
    bool may_block = false;  ///< a read of a lock or a wait, which stops the thread until it reads something else
    bool revisited = false;  ///< a read whose `rf` was set by a backward revisit
    bool spurious_matters = false;     ///< a read of a weak compare-exchange: failing spuriously leads to another state
    bool wakes = false;                ///< the read of a wait on a condition variable that takes a notification
    bool late = false;                 ///< a read of a write that follows it in porf: load buffering
    bool repeated = false;             ///< repeats earlier reads; only the coherence-latest write is explored
    bool shared = false;               ///< the read of lock_shared(): ordered after the last writer alone
    bool displaces_lock = false;       ///< of a lock: stands for a deleted read that would have had to wait
    std::uint8_t added_bytes = 0;      ///< size of the atomic, of the read of an addition that has been run; or 0
    bool result_unused = false;        ///< and its thread does not use what it reads, as far as that is known
    read_form form = read_form::load;  ///< of a read that has been run
    retry_status retry = retry_status::unknown;
    bool of_waiters = false;    ///< a write to a condition variable or to a wait queue: the value is of `waiters`
    std::uint8_t variant = 0;   ///< of a read: which waiters a notification wakes, or whether a wait has timed out
    coherence_position co = 0;  ///< of a write: in the coherence order, from 1; the initial value is at 0

    [[nodiscard]] bool accesses_memory() const noexcept {
        return kind == event_kind::read || kind == event_kind::write;
    }
    [[nodiscard]] bool takes_freed_block() const noexcept { return kind == event_kind::allocation && value != 0; }
};

}  // namespace ordeal::detail::graph
