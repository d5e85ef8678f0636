// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/read_form.hpp"
#include "ordeal/engine/graph/core/events/view.hpp"
#include "ordeal/runtime/order.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// Place of an event in its graph: also its stamp, when it was added.
using event_id = std::uint16_t;
/// As what a read reads from: the value with which the object began.
inline constexpr event_id initial_write = 0xffff;
inline constexpr std::size_t max_events = 0xfff0;

/// An atomic or a lock: the thread that made it, and which of that thread's it is; where objects have no constructors that
/// the model sees, the address, and which of the objects there it is. Stays the same between runs of one graph.
using location = std::uint64_t;
inline constexpr location no_location =
    ~location{0};  ///< of what accesses no memory; or not known before the event has been run

enum class event_kind : std::uint8_t {
    read,
    write,
    fence,
    creation,    ///< of a thread; `value` is its id
    allocation,  ///< that may take memory which was freed before; `value` is the free_name of what it takes, or 0
};

/// Of a read: whether its thread goes on from it as it does in another execution, too, in which an earlier read was of what this
/// one has read. Then nothing is lost if it goes no further. See retries.
enum class retry_status : std::uint8_t {
    unknown,
    redundant,  ///< it does, and is blocked
    needed,
};

/// A step of an execution. A read-modify-write is two: a read, and directly after it a write with `rmw`.
struct event {
    std::uint64_t value = 0;  ///< of a write, a creation or an allocation
    location where = no_location;
    event_id rf = initial_write;  ///< of a read: the write that it reads from
    /// Of the read of a wait that ends for no reason: a write of the mutex with which it ends in vain, if one is known.
    event_id redundant_wake_up_write = initial_write;
    std::uint16_t index = 0;     ///< which of its thread's events, from 0
    std::uint8_t thread_id = 0;  ///< of the thread
    event_kind kind = event_kind::read;
    order using_order = order::relaxed;
    bool acquires_always = false;  ///< of a read: a compare-exchange both if it succeeds and if it fails
    bool rmw = false;       ///< a write that is half of a read-modify-write: directly after its `rf` in coherence
    bool spurious = false;  ///< a read of a compare-exchange that fails though the value is the expected one; the fence
                            ///< of a wait on a futex that ends for no reason
    bool waits = false;     ///< a read of a lock or a wait, which stops the thread until it reads something else
    bool revisited = false;         ///< a read that a later write made to read it
    bool spurious_matters = false;  ///< a read of a weak compare-exchange: failing spuriously leads to another state
    bool wakes = false;             ///< the read of a wait on a condition variable that takes a notification
    bool repeated = false;   ///< a read that found the same as many before it; others than the newest are left out
    bool shared = false;     ///< the read of a lock that readers share: ordered after the last writer alone
    bool overtakes = false;  ///< the read of a lock that came before a read which then had to wait, and was deleted
    read_form form = read_form::load;  ///< of a read that has been run
    retry_status retry = retry_status::unknown;
    std::uint8_t variant = 0;  ///< of a read: for whom a notification is, or whether a wait is at its limit
    std::uint16_t co = 0;      ///< of a write: in the coherence order, from 1; the initial value is at 0

    [[nodiscard]] bool accesses_memory() const noexcept {
        return kind == event_kind::read || kind == event_kind::write;
    }
    [[nodiscard]] bool takes_freed_block() const noexcept { return kind == event_kind::allocation && value != 0; }
};

/// The events of an execution in the order in which they were added, with reads-from and coherence.
class execution_graph {
public:
    [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }
    [[nodiscard]] const event& operator[](event_id id) const noexcept { return events_[id]; }
    [[nodiscard]] event& operator[](event_id id) noexcept { return events_[id]; }
    [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

    void clear() noexcept {
        events_.clear();
        spurious_matters_next = 0;
        checked = true;
    }
    event_id add(const event& value);
    void remove_last() noexcept { events_.pop_back(); }

    /// Makes room in coherence and puts the write there: what was at `co` comes after it.
    void put(event_id write, std::uint16_t co) noexcept;

    /// The place in coherence of what a read read, or of a write itself.
    [[nodiscard]] std::uint16_t co_of(event_id write) const noexcept {
        return write == initial_write ? std::uint16_t{0} : events_[write].co;
    }

    /// What the read half of a read-modify-write read: the event before the write in its thread.
    [[nodiscard]] event_id rf_of_rmw(event_id write) const noexcept;
    /// The event before it in its thread, as the read half of a read-modify-write is; initial_write: none.
    [[nodiscard]] event_id before_in_thread(event_id id) const noexcept;

    /// The last place that `seen` has observed at `where`: of its writes, and of the writes that its reads read.
    /// Nothing that comes after `seen` in happens-before may read from or be placed before it.
    [[nodiscard]] std::uint16_t bound(location where, const view& seen) const noexcept;

    /// Becomes the writes to `where` by place; entry 0 is initial_write.
    void coherence(location where, std::vector<event_id>& result) const;
    /// How many there are of them, that one counted, and the last of them.
    [[nodiscard]] std::size_t places(location where) const noexcept;
    [[nodiscard]] event_id newest(location where) const noexcept;

    /// Tables that a revisit fills anew: kept for their memory alone.
    struct revisit_tables {
        std::vector<event_id> renamed;
        std::vector<event_id> written;
    };
    /// Becomes `whole` without the events added after `read` and not in `porf`; then `write`, an event of `whole`, is
    /// added last and `read` reads from it. The write has no place yet.
    void revisit(const execution_graph& whole, event_id read, event_id write, const view& porf, revisit_tables& tables);
    /// The same without `read`, which would have to wait for another write than this one, of a read-modify-write. The read of
    /// that is then marked: it stands for the older one.
    void overtake(const execution_graph& whole, event_id read, event_id write, const view& porf,
                  revisit_tables& tables);

    /// Becomes the part of `whole` that `read` depends on, itself included: it is in `porf`, as what comes before it. `renamed` has
    /// the new numbers.
    void only_past(const execution_graph& whole, event_id read, const view& porf, revisit_tables& tables);

    /// Whether a read, which no later write made to read it, passed over a write that was there and comes later in coherence. As
    /// long as its thread does nothing more, no revisit changes it or deletes it.
    [[nodiscard]] bool is_permanent(event_id read) const noexcept;
    /// Becomes `whole` without `read` and what its thread did since an earlier read of the same location, all of which are reads,
    /// and the last events of their thread. The earlier one takes what `read` has read. Returns the number of that.
    event_id without_retry(const execution_graph& whole, event_id earlier, event_id read, revisit_tables& tables);

    /// The thread whose next event is a read with `spurious_matters`; 0: none.
    std::uint8_t spurious_matters_next = 0;
    /// Known to be consistent as far as seq_cst goes.
    bool checked = true;

private:
    void keep(const execution_graph& whole, event_id read, bool with_read, event_id write, const view& porf,
              revisit_tables& tables);
    template <class Keeps>
    void take(const execution_graph& whole, std::vector<event_id>& renamed, Keeps keeps);
    void rename(const std::vector<event_id>& renamed);
    void close_gaps(std::size_t events, std::vector<event_id>& written);

    std::vector<event> events_;
};

}  // namespace ordeal::graph
