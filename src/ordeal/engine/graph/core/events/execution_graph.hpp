// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/access_index.hpp"
#include "ordeal/engine/graph/core/events/event.hpp"
#include "ordeal/engine/graph/core/events/view.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ordeal::detail::graph {

/// An index that a graph owns and a copy of the graph does not have.
class own_index {
public:
    own_index() = default;
    own_index(const own_index& /*other*/) noexcept {}
    own_index(own_index&& /*other*/) noexcept {}
    own_index& operator=(const own_index& /*other*/) noexcept {
        drop();
        return *this;
    }
    own_index& operator=(own_index&& /*other*/) noexcept {
        drop();
        return *this;
    }
    ~own_index() = default;

    void drop() noexcept {
        if (all_) all_.reset();
    }
    access_index& make() { return *(all_ = std::make_unique<access_index>()); }
    [[nodiscard]] access_index* get() const noexcept { return all_.get(); }

private:
    std::unique_ptr<access_index> all_;
};

/// An execution graph: events in order of insertion, with reads-from and coherence.
///
/// A graph that one execution grows from nothing may have an index, see index_from(). Its events are then complete in
/// the order of insertion: each read has its location and its `rf`, and each write its position in coherence, before
/// the next event is added.
class execution_graph {
public:
    [[nodiscard]] std::size_t size() const noexcept { return events_.size(); }
    /// Whether there is no room for the events of another operation.
    [[nodiscard]] bool is_full() const noexcept { return events_.size() + 4 > max_events; }
    [[nodiscard]] const event& operator[](event_id id) const noexcept { return events_[id]; }
    [[nodiscard]] event& operator[](event_id id) noexcept { return events_[id]; }
    [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

    /// Keeps `arrivals_are_events`, `elides_locks` and `late_timeouts`, which its search decides.
    void clear() noexcept {
        events_.clear();
        index_.drop();
        index_from_ = never;
        spurious_matters_next = 0;
        known_consistent = true;
        future_reads = false;
        mixed_sizes = false;
        unrevisitable_prefix = 0;
    }
    event_id add(const event& value);
    void remove_last() noexcept {
        events_.pop_back();
        index_.drop();
        index_from_ = never;
    }

    /// From this number of events on, the graph keeps an index, so that an operation takes the same time however long
    /// the graph is. Below it, to look through the events is faster. Until the graph is cleared.
    void index_from(std::size_t events) noexcept { index_from_ = events; }
    /// The graph is complete, or no index is asked about what is not. It need not satisfy coherence, but then an index
    /// knows no coherence order.
    void index_all() {
        index_from_ = 0;
        build_index();
    }
    [[nodiscard]] bool is_indexed() const noexcept { return index_.get() != nullptr; }
    /// The read, the last event so far, has its location and its `rf`.
    void complete_read(event_id read) {
        if (access_index* const index = index_.get()) index->complete_read(events_, read);
    }

    /// Inserts the write into coherence order at position `co`; the writes from there on move up by one.
    void insert_in_co(event_id write, coherence_position co);

    /// The position in coherence order of the write that was read, or of a write itself.
    [[nodiscard]] coherence_position co_of(event_id write) const noexcept {
        return write == initial_write ? coherence_position{0} : events_[write].write().co;
    }

    /// The write from which the read half of a read-modify-write reads.
    [[nodiscard]] event_id rf_of_rmw(event_id write) const noexcept;
    /// The event before `id` in its thread, such as the read half of a read-modify-write; initial_write: none.
    [[nodiscard]] event_id before_in_thread(event_id id) const noexcept;
    /// The write of the read-modify-write of which an event is the read half; initial_write: it is of none, or of one
    /// that has not stored.
    [[nodiscard]] event_id rmw_write_of(const event& read) const noexcept;

    /// The latest position in coherence at `where` that `seen` has observed, through its writes and through the writes
    /// that its reads read from. Nothing that happens after `seen` may read from, or be placed in coherence, before it.
    /// `bytes`: for an access to these alone.
    [[nodiscard]] coherence_position coherence_bound(location where, const view& seen,
                                                     const footprint& bytes = {}) const noexcept;

    /// Fills `result` with the writes to `where` in coherence order; entry 0 is initial_write.
    void coherence(location where, std::vector<event_id>& result) const;
    /// The writes to `where` in coherence order, from the index, which the graph must have. Valid until a write is
    /// placed.
    [[nodiscard]] std::span<const event_id> indexed_coherence(location where) const noexcept {
        return index_.get()->coherence(where);
    }
    /// The writes to `where` in coherence order: in the index if there is one, and else in `buffer`.
    [[nodiscard]] std::span<const event_id> coherence_order(location where, std::vector<event_id>& buffer) const {
        if (is_indexed()) [[unlikely]]
            return indexed_coherence(where);
        coherence(where, buffer);
        return buffer;
    }
    /// The number of writes to `where`, the initial one included, and the co-maximal write.
    [[nodiscard]] std::size_t co_size(location where) const noexcept;
    [[nodiscard]] event_id co_max(location where) const noexcept;
    /// The write directly before this one in coherence.
    [[nodiscard]] event_id co_before(event_id write) const noexcept;
    /// The last write in coherence that a read may read from.
    [[nodiscard]] event_id co_max_for(const event& read) const noexcept;
    /// The latest write to one of these bytes, from this one down.
    [[nodiscard]] event_id write_of(event_id from, std::uint32_t bytes) const noexcept {
        while (from != initial_write && (events_[from].bytes.bytes() & bytes) == 0) from = rf_of_rmw(from);
        return from;
    }

    /// Buffers of revisit(), kept only to reuse their memory.
    struct renumbering {
        std::vector<event_id> renamed;
        std::vector<event_id> written;
    };
    /// Backward revisit: becomes `whole` without the events inserted after `read` that are outside the porf prefix
    /// `porf`. Then `write`, an event of `whole`, is inserted last and `read` reads from it. The write has no position
    /// in coherence yet.
    void revisit(const execution_graph& whole, event_id read, event_id write, const view& porf, renumbering& tables);
    /// Backward revisit without `read`, which would be blocked if it read from `write`, half of a read-modify-write.
    /// The read of that read-modify-write is marked `deletes_blocked_lock`.
    void revisit_deleting_lock(const execution_graph& whole, event_id read, event_id write, const view& porf,
                               renumbering& tables);

    /// Becomes the part of `whole` that `read` depends on, itself included: `porf` is its porf prefix. `renamed` maps
    /// to the new ids.
    void restrict_to_prefix(const execution_graph& whole, event_id read, const view& porf, renumbering& tables);

    /// Becomes the part of `whole` in `porf` without the events of the thread of `read` from `read` on, which is added
    /// as the last event.
    void restrict_before(const execution_graph& whole, event_id read, const view& porf, renumbering& tables);

    /// Becomes the part of `whole` in `porf`, the events that `write` follows in porf; there `read` is a future read:
    /// it reads from `write`. That becomes the last event, without a position in coherence, unless others of its thread
    /// come after it, as they may in porf with future reads. If `read` is half of a read-modify-write, the write of
    /// that has no position either, and is returned; otherwise initial_write is. `fails`: the read is of a
    /// compare-exchange that fails now, and has no write any more.
    [[nodiscard]] event_id make_future_read(const execution_graph& whole, event_id read, event_id write,
                                            const view& porf, bool fails, renumbering& tables);

    /// Whether a read that no backward revisit has changed passed over a write, later in coherence, that was
    /// already there. As long as its thread adds no event, no revisit changes or deletes the read.
    [[nodiscard]] bool is_unrevisitable(event_id read) const noexcept;
    /// Becomes `whole` without `read` and the events of its thread since `earlier`, a read of the same location; all of
    /// them are reads and the last events of their thread. `earlier` reads from the write of `read`.
    void without_retry(const execution_graph& whole, event_id earlier, event_id read, renumbering& tables);

    /// The thread whose next event is a read with `spurious_matters`; 0: none.
    std::uint8_t spurious_matters_next = 0;
    /// Whether there is a future read; then what its thread does next is run before the write that it reads from.
    bool future_reads = false;
    /// No revisit changes or deletes the first so many events, see revisits/future_reads.hpp.
    std::size_t unrevisitable_prefix = 0;
    /// Known to be consistent: to satisfy the seq_cst axiom of the model, and with future reads coherence and what
    /// orders them.
    bool known_consistent = true;
    /// Whether an arrival at a barrier or a latch is an event of its own kind; otherwise it is a read-modify-write.
    bool arrivals_are_events = false;
    /// Whether locks are no events, see lock_elision.
    bool elides_locks = false;
    /// Of an execution in which time passes only when no thread can go on otherwise: fences of order relaxed are where
    /// it has passed.
    bool late_timeouts = false;
    /// Whether the search knows of objects of mixed_sizes.
    bool mixed_sizes = false;

private:
    void keep(const execution_graph& whole, event_id read, bool with_read, event_id write, const view& porf,
              renumbering& tables);
    template <class Keeps>
    void take(const execution_graph& whole, std::vector<event_id>& renamed, Keeps keeps);
    void rename(const std::vector<event_id>& renamed);
    void close_gaps(std::size_t events, std::vector<event_id>& written);
    void build_index();

    static constexpr std::size_t never = ~std::size_t{0};

    std::vector<event> events_;
    own_index index_;
    std::size_t index_from_ = never;
};

/// An event by its thread and its index there, which do not depend on the order of insertion.
[[nodiscard]] std::uint64_t name_of(const execution_graph& graph, event_id id) noexcept;

/// Of a graph that is to be explored, its order of insertion included: also of which reads are future reads, and of the
/// values of its writes.
[[nodiscard]] std::uint64_t hash_in_insertion_order(const execution_graph& graph);

/// Does not depend on the order in which the events were added.
[[nodiscard]] std::uint64_t hash_without_order(const execution_graph& graph) noexcept;

}  // namespace ordeal::detail::graph
