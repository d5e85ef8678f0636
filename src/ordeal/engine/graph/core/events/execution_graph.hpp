// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/read_form.hpp"
#include "ordeal/engine/graph/core/events/view.hpp"
#include "ordeal/runtime/order.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Position of an event in its graph, which is also the order of insertion (the stamps of TruSt).
using event_id = std::uint16_t;
/// The `rf` of a read that reads the initial value of its location.
inline constexpr event_id initial_write = 0xffff;
inline constexpr std::size_t max_events = 0xfff0;

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
    std::uint16_t index = 0;     ///< which of its thread's events, from 0
    std::uint8_t thread_id = 0;  ///< of the thread
    event_kind kind = event_kind::read;
    order using_order = order::relaxed;
    bool acquires_always = false;  ///< of a read: acquires; a compare-exchange on success and on failure
    bool rmw = false;        ///< a write that is half of a read-modify-write: directly after its `rf` in coherence
    bool spurious = false;   ///< fails, or returns from a wait, spuriously; of a futex wait this is its fence
    bool waits = false;      ///< a read of a lock or a wait, which stops the thread until it reads something else
    bool revisited = false;  ///< a read whose `rf` was set by a backward revisit
    bool spurious_matters = false;     ///< a read of a weak compare-exchange: failing spuriously leads to another state
    bool wakes = false;                ///< the read of a wait on a condition variable that takes a notification
    bool repeated = false;             ///< repeats earlier reads; only the coherence-latest write is explored
    bool shared = false;               ///< the read of lock_shared(): ordered after the last writer alone
    bool displaces_lock = false;       ///< of a lock: stands for a deleted read that would have had to wait
    std::uint8_t added_bytes = 0;      ///< size of the atomic, of the read of an addition that has been run; or 0
    bool result_unused = false;        ///< and its thread does not use what it reads, as far as that is known
    read_form form = read_form::load;  ///< of a read that has been run
    retry_status retry = retry_status::unknown;
    std::uint8_t variant = 0;  ///< of a read: which waiters a notification wakes, or whether a wait has timed out
    std::uint16_t co = 0;      ///< of a write: in the coherence order, from 1; the initial value is at 0

    [[nodiscard]] bool accesses_memory() const noexcept {
        return kind == event_kind::read || kind == event_kind::write;
    }
    [[nodiscard]] bool takes_freed_block() const noexcept { return kind == event_kind::allocation && value != 0; }
};

/// An execution graph: events in order of insertion, with reads-from and coherence.
class execution_graph {
public:
    [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }
    [[nodiscard]] const event& operator[](event_id id) const noexcept { return events_[id]; }
    [[nodiscard]] event& operator[](event_id id) noexcept { return events_[id]; }
    [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

    /// Keeps `arrivals_are_events`, which its search decides.
    void clear() noexcept {
        events_.clear();
        spurious_matters_next = 0;
        checked = true;
    }
    event_id add(const event& value);
    void remove_last() noexcept { events_.pop_back(); }

    /// Inserts the write into coherence order at position `co`; the writes from there on move up by one.
    void insert_in_co(event_id write, std::uint16_t co) noexcept;

    /// The position in coherence order of the write that was read, or of a write itself.
    [[nodiscard]] std::uint16_t co_of(event_id write) const noexcept {
        return write == initial_write ? std::uint16_t{0} : events_[write].co;
    }

    /// The write from which the read half of a read-modify-write reads.
    [[nodiscard]] event_id rf_of_rmw(event_id write) const noexcept;
    /// The event before `id` in its thread, such as the read half of a read-modify-write; initial_write: none.
    [[nodiscard]] event_id before_in_thread(event_id id) const noexcept;
    /// The write of the read-modify-write of which an event is the read half; initial_write: it is of none, or of one
    /// that has not stored.
    [[nodiscard]] event_id rmw_write_of(const event& read) const noexcept;

    /// The coherence-latest position at `where` that `seen` has observed, through its writes and through the writes
    /// that its reads read from. Nothing that happens after `seen` may read from, or be placed in coherence, before it.
    [[nodiscard]] std::uint16_t bound(location where, const view& seen) const noexcept;

    /// Fills `result` with the writes to `where` in coherence order; entry 0 is initial_write.
    void coherence(location where, std::vector<event_id>& result) const;
    /// The number of writes to `where`, the initial one included, and the coherence-latest write.
    [[nodiscard]] std::size_t co_size(location where) const noexcept;
    [[nodiscard]] event_id co_latest(location where) const noexcept;

    /// Buffers of revisit(), kept only to reuse their memory.
    struct revisit_tables {
        std::vector<event_id> renamed;
        std::vector<event_id> written;
    };
    /// Backward revisit: becomes `whole` without the events inserted after `read` that are outside the porf prefix
    /// `porf`. Then `write`, an event of `whole`, is inserted last and `read` reads from it. The write has no position
    /// in coherence yet.
    void revisit(const execution_graph& whole, event_id read, event_id write, const view& porf, revisit_tables& tables);
    /// The same without `read`, which would have to wait if it read from `write`, half of a read-modify-write. The read
    /// of that read-modify-write is marked `displaces_lock`.
    void revisit_displacing(const execution_graph& whole, event_id read, event_id write, const view& porf,
                            revisit_tables& tables);

    /// Becomes the part of `whole` that `read` depends on, itself included: `porf` is its porf prefix. `renamed` maps
    /// to the new ids.
    void only_past(const execution_graph& whole, event_id read, const view& porf, revisit_tables& tables);

    /// Whether a read that no backward revisit has changed passed over a coherence-later write that was already there.
    /// As long as its thread adds no event, no revisit changes or deletes the read.
    [[nodiscard]] bool is_permanent(event_id read) const noexcept;
    /// Becomes `whole` without `read` and the events of its thread since `earlier`, a read of the same location; all of
    /// them are reads and the last events of their thread. `earlier` reads from the write of `read`. Returns the new id
    /// of `earlier`.
    event_id without_retry(const execution_graph& whole, event_id earlier, event_id read, revisit_tables& tables);

    /// The thread whose next event is a read with `spurious_matters`; 0: none.
    std::uint8_t spurious_matters_next = 0;
    /// Known to satisfy the seq_cst axiom of the model.
    bool checked = true;
    /// Whether an arrival at a barrier or a latch is an event of its own kind; otherwise it is a read-modify-write.
    bool arrivals_are_events = false;

private:
    void keep(const execution_graph& whole, event_id read, bool with_read, event_id write, const view& porf,
              revisit_tables& tables);
    template <class Keeps>
    void take(const execution_graph& whole, std::vector<event_id>& renamed, Keeps keeps);
    void rename(const std::vector<event_id>& renamed);
    void close_gaps(std::size_t events, std::vector<event_id>& written);

    std::vector<event> events_;
};

}  // namespace ordeal::detail::graph
