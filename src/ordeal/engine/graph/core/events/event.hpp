// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_id.hpp"
#include "ordeal/engine/graph/core/events/footprint.hpp"
#include "ordeal/engine/graph/core/events/read_form.hpp"
#include "ordeal/runtime/order.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace ordeal::detail::graph {

/// An atomic or a lock: the thread that constructed it and its number among that thread's objects. Where no constructor
/// is visible: the address and its number among the objects there. The same in every run of a graph.
using location = std::uint64_t;
/// Of events that access no memory; or not known before the event has been run.
inline constexpr location no_location = ~location{0};

/// The kinds of events. Locks, waits and notifications are reads and writes, see read_form.
enum class event_kind : std::uint8_t {
    read,
    write,
    fence,
    creation,    ///< of a thread
    allocation,  ///< that may reuse freed memory
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

struct read_data {
    event_id rf = initial_write;  ///< the write that it reads from
    /// Of a wait that returns spuriously: a mutex write that makes the spurious return redundant, if known.
    event_id redundant_wake_up_write = initial_write;
    read_form form = read_form::load;
    retry_status retry = retry_status::unknown;
    std::uint8_t variant = 0;           ///< which waiters a notification wakes, or whether a wait has timed out
    std::uint8_t added_bytes = 0;       ///< of an addition: the size of the atomic; or 0
    bool acquires_always = false;       ///< a compare-exchange: on success and on failure
    bool spurious = false;              ///< fails, or returns from a wait, spuriously
    bool spurious_matters = false;      ///< of what may fail spuriously: failing so leads to another state
    bool wakes = false;                 ///< of a wait that may end without a notification: takes one
    bool deletes_blocked_lock = false;  ///< of a lock: stands for a deleted read that would have had to wait
    bool revisited = false;             ///< its `rf` was set by a backward revisit
    bool repeated = false;              ///< repeats earlier reads; only the co-maximal write is explored
    bool future = false;                ///< reads from a write that follows it in porf: load buffering
    bool result_unused = false;         ///< its thread does not use what it reads, as far as that is known
};

struct write_data {
    std::uint64_t value = 0;
    coherence_position co = 0;  ///< in the coherence order, from 1; the initial value is at 0
    bool rmw = false;           ///< half of a read-modify-write: directly after its `rf` in coherence
    bool of_waiters = false;    ///< to a condition variable or to a wait queue: the value is of `waiters`
    bool blind = false;         ///< `rmw` by construction alone: a store to a part of an object, see mixed_sizes
};

struct fence_data {
    bool spurious = false;  ///< of a futex wait, which ends spuriously
};

struct creation_data {
    std::uint64_t created = 0;  ///< the id of the thread
};

struct allocation_data {
    std::uint64_t block = 0;  ///< the free_name of the block that it takes; 0: fresh memory
};

struct arrival_data {};
struct beginning_data {};

/// What one kind of events has; in the order of event_kind.
using event_data =
    std::variant<read_data, write_data, fence_data, creation_data, allocation_data, arrival_data, beginning_data>;

/// Of a new event of this kind.
[[nodiscard]] constexpr event_data new_data(event_kind kind) noexcept {
    switch (kind) {
        case event_kind::read: return read_data{};
        case event_kind::write: return write_data{};
        case event_kind::fence: return fence_data{};
        case event_kind::creation: return creation_data{};
        case event_kind::allocation: return allocation_data{};
        case event_kind::arrival: return arrival_data{};
        case event_kind::beginning: break;
    }
    return beginning_data{};
}
static_assert([] {
    for (std::size_t i = 0; i < std::variant_size_v<event_data>; ++i) {
        if (new_data(static_cast<event_kind>(i)).index() != i) return false;
    }
    return true;
}());

/// What an event has of which it is known that it is of this kind.
template <class Data, class All>
[[nodiscard]] auto& data_of(All& all) noexcept {
    auto* const found = std::get_if<Data>(&all);
    assert(found != nullptr);
    return *found;
}

/// An event of an execution: what every event has, and what one of its kind has. A read-modify-write is two: a read,
/// and directly after it a write with `rmw`.
struct event {
    location where = no_location;
    event_index index = 0;  ///< which of its thread's events, from 0
    std::uint8_t thread_id = 0;
    order using_order = order::relaxed;
    footprint bytes;
    event_data data;

    [[nodiscard]] event_kind kind() const noexcept { return static_cast<event_kind>(data.index()); }
    [[nodiscard]] bool accesses_memory() const noexcept { return is_read() || is_write(); }

    // Of an event of that kind.
    [[nodiscard]] read_data& read() noexcept { return data_of<read_data>(data); }
    [[nodiscard]] const read_data& read() const noexcept { return data_of<read_data>(data); }
    [[nodiscard]] write_data& write() noexcept { return data_of<write_data>(data); }
    [[nodiscard]] const write_data& write() const noexcept { return data_of<write_data>(data); }
    [[nodiscard]] fence_data& fence() noexcept { return data_of<fence_data>(data); }
    [[nodiscard]] const fence_data& fence() const noexcept { return data_of<fence_data>(data); }
    [[nodiscard]] creation_data& creation() noexcept { return data_of<creation_data>(data); }
    [[nodiscard]] const creation_data& creation() const noexcept { return data_of<creation_data>(data); }
    [[nodiscard]] allocation_data& allocation() noexcept { return data_of<allocation_data>(data); }
    [[nodiscard]] const allocation_data& allocation() const noexcept { return data_of<allocation_data>(data); }

    // Of events of any kind.
    [[nodiscard]] bool is_read() const noexcept { return kind() == event_kind::read; }
    [[nodiscard]] bool is_write() const noexcept { return kind() == event_kind::write; }
    /// The write that it reads from; initial_write also of what is no read.
    [[nodiscard]] event_id rf() const noexcept { return is_read() ? read().rf : initial_write; }
    /// Reads from another write than the initial one.
    [[nodiscard]] bool reads_event() const noexcept { return rf() != initial_write; }
    [[nodiscard]] bool reads_from(event_id write) const noexcept { return is_read() && read().rf == write; }
    [[nodiscard]] bool is_rmw() const noexcept { return is_write() && write().rmw; }
    /// Half of a store to a part of an object, see mixed_sizes: no read-modify-write of the code on trial.
    [[nodiscard]] bool is_blind() const noexcept {
        return is_read() ? read().form == read_form::store : is_write() && write().blind;
    }
    /// A read of a part of an object, and no more than that: it may read from the writes to that part alone.
    [[nodiscard]] bool is_part_load() const noexcept {
        if (!bytes.is_part() || !is_read()) return false;
        return read().form == read_form::load || read().form == read_form::wait;
    }
    /// Whether a read may read from a write to its location.
    [[nodiscard]] bool may_read(const event& write) const noexcept {
        return !is_part_load() || bytes.overlaps(write.bytes);
    }
    [[nodiscard]] bool is_future_read() const noexcept { return is_read() && read().future; }
    /// What a future read reads from; initial_write: it is none, or reads the initial value.
    [[nodiscard]] event_id future_source() const noexcept { return is_future_read() ? read().rf : initial_write; }
    /// Fails, or ends a wait, spuriously.
    [[nodiscard]] bool is_spurious() const noexcept {
        return is_read() ? read().spurious : kind() == event_kind::fence && fence().spurious;
    }
    /// Which of the ways in which its operation can go on; 0: the first or only one.
    [[nodiscard]] std::uint8_t variant() const noexcept { return is_read() ? read().variant : std::uint8_t{0}; }
    /// What a write writes, a creation creates, or an allocation takes; 0 for others.
    [[nodiscard]] std::uint64_t value() const noexcept {
        switch (kind()) {
            case event_kind::write: return write().value;
            case event_kind::creation: return creation().created;
            case event_kind::allocation: return allocation().block;
            default: return 0;
        }
    }
    [[nodiscard]] bool takes_freed_block() const noexcept {
        return kind() == event_kind::allocation && allocation().block != 0;
    }
};

}  // namespace ordeal::detail::graph
