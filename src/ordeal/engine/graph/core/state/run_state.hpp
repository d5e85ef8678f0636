// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/consistency/consistency.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/state/certification.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"
#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"
#include "ordeal/engine/graph/core/state/mixed_sizes.hpp"
#include "ordeal/engine/graph/core/state/object.hpp"
#include "ordeal/engine/graph/core/state/recorded_waits.hpp"
#include "ordeal/engine/graph/core/state/thread_observer.hpp"
#include "ordeal/engine/graph/core/state/thread_state.hpp"
#include "ordeal/engine/graph/core/state/thread_tree.hpp"

#include "ordeal/runtime/moment.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

class strategy;

/// A moment, and what happens before it: more than before the last event, where a thread or a barrier was waited for.
struct noted_moment {
    moment when;
    view hb;
};

/// The state of one execution that several parts of the engine share: its graph with what the run computes about
/// events, its threads, its objects. A value: nothing in it points into a stack or into itself.
struct run_state {
    execution_graph* graph = nullptr;                 ///< owned by the caller of the run; grows during it
    const thread_tree* thread_ids = nullptr;          ///< owned by the search
    const graph::mixed_sizes* mixed_sizes = nullptr;  ///< owned by the search
    graph::strategy* strategy = nullptr;              ///< of the run

    views_table views;
    consistency model{memory_model::rc11};  ///< knows which events were passed
    std::array<thread_state, max_thread_ids> threads;
    ordeal::detail::graph::objects objects;
    std::array<std::uint32_t, max_thread_ids> constructed{};  ///< atomics and mutexes, by thread
    freed_blocks freed;
    std::vector<notification> notifications;
    std::vector<atomic_wait> returned_waits;
    std::vector<condition_wait> condition_waits;
    std::vector<arrival> arrivals;             ///< where they are events
    std::vector<accepted_violation> accepted;  ///< each once
    std::vector<noted_moment> moments;         ///< that the code on trial asked for
    std::vector<std::uint8_t> reused_ids;  ///< of threads that have the id of one that was joined, as they were created

    int thread_id = main_thread_id;      ///< of the running thread
    int chosen = -1;                     ///< the thread that may add the next event
    bool passed_over = false;            ///< an earlier thread is disabled, but perhaps not after every event
    bool in_order = false;               ///< events of the graph are run in insertion order, see thread_due()
    std::uint64_t resumed = 0;           ///< how often a thread was resumed, in all runs
    std::size_t executed = 0;            ///< events
    std::size_t snapshot_due = 0;        ///< from this number of events on a snapshot is worth its cost
    std::size_t given = 0;               ///< events of the graph at the beginning of the run
    std::uint64_t time = 0;              ///< that has passed, in nanoseconds; only with graph->late_timeouts
    event_id time_came = 0;              ///< the fence at which time last passed: earlier writes have arrived by then
    std::uint32_t step = 0;              ///< of the trace
    std::uint32_t operations = 0;        ///< the same without non-atomic accesses
    std::uint32_t operations_alone = 0;  ///< of these, before the only thread has created another one
    unsigned single_threaded_reads = 0;  ///< since the only thread last did anything else
    bool executing = false;
    bool finishing = false;          ///< all threads have finished
    bool before_others = false;      ///< the only thread has created none yet
    bool accesses_in_loops = false;  ///< some thread has, see thread_progress
    bool some_waited = false;        ///< some thread waited on a condition variable or a futex
    bool elided_locks = false;       ///< some lock was no event, see lock_elision

    iteration_accesses* noted = nullptr;  ///< where non-atomic accesses are recorded; null: nowhere
    thread_observer* observer = nullptr;  ///< is told what threads do; null: nobody
    /// Of a run that certifies a promise: what it finds out; null: the run is one of a search, or a replay.
    graph::certification* certification = nullptr;

    /// Threads that may have changed since this was last cleared, by id.
    std::array<bool, max_thread_ids> changed{};

    /// Resets it for the next run, but keeps the memory of its tables.
    void begin(execution_graph& whole);

    /// All but the threads, the objects, and the views of events.
    void save(snapshot& to) const;
    void restore(snapshot& from);
    /// Continues along another graph, which begins with the events that were run.
    void go_on_along(execution_graph& whole);

    [[nodiscard]] thread_state& of(int thread) noexcept { return threads[static_cast<std::size_t>(thread)]; }
    [[nodiscard]] const thread_state& of(int thread) const noexcept {
        return threads[static_cast<std::size_t>(thread)];
    }
    [[nodiscard]] thread_state& self() noexcept { return of(thread_id); }
    [[nodiscard]] const thread_state& self() const noexcept { return of(thread_id); }
    [[nodiscard]] std::size_t index() const noexcept { return static_cast<std::size_t>(thread_id); }
    /// The running thread's epoch: the number of its events so far, plus one.
    [[nodiscard]] event_index epoch() const noexcept { return static_cast<event_index>(self().hb[index()] + 1); }
    /// An access of the running thread, where non-atomic accesses are recorded.
    void note_access(memory_range where, bool writes) {
        if (noted != nullptr) [[unlikely]]
            noted->note(thread_id, self().next, where, writes);
    }
    /// The running thread makes an access, where states are compared or a wait has ended spuriously. `made_since`:
    /// whether it has made it before, at an epoch or later.
    template <class Condition>
    void note_touched(memory_range where, access_kind kind, Condition made_since) {
        thread_state& me = self();
        if (me.wake_ups != 0) [[unlikely]]
            me.after_wake_up.note({where, kind}, me.next, !made_since(me.waited_from));
        if (!me.compares || made_since(me.only_reads_since)) return;
        ++me.done.touched_again;
        if (!me.iteration_starts.empty()) note_first_access(where, kind);
        if (made_since(me.since)) return;
        ++me.done.touched;
    }
    /// The epoch from which on the running thread had done nothing but read, when it had so many events.
    [[nodiscard]] event_index only_read_from(event_index events) const noexcept;
    /// All thread ids but that of construction and finish(), in the order of the search.
    [[nodiscard]] const std::vector<int>& order() const noexcept { return thread_ids->order(); }

    /// The running thread accesses something outside its own stack. Returns whether another thread has done so before,
    /// unordered by creating and joining threads.
    [[nodiscard]] bool acts_concurrently() noexcept;
    /// Whether another thread has begun and not finished.
    [[nodiscard]] bool another_is_there() const noexcept;
    /// The number of threads begun in this execution so far.
    [[nodiscard]] int begun_threads() const noexcept;

    /// The number by which reports name a thread: its id; those that reuse an id have the numbers after all ids.
    [[nodiscard]] int number_of(int thread) const noexcept;
    [[nodiscard]] int id_of_number(int number) const noexcept {
        const auto after = static_cast<std::size_t>(number) - max_thread_ids;
        return static_cast<std::size_t>(number) < max_thread_ids ? number : reused_ids[after];
    }

    [[nodiscard]] bool on_main_thread() const noexcept { return thread_id == main_thread_id; }
    /// Whether no other thread exists: outside the threads, or before the only one has created any.
    [[nodiscard]] bool single_threaded() const noexcept { return on_main_thread() || before_others; }
    void leave_single_threaded() noexcept;
    /// What all threads have done and will do happens before what this one does next.
    void put_all_before(int thread) noexcept;
    /// The running thread goes on as if there were no others, knowing all that they have done.
    void run_without_others() noexcept;
    [[nodiscard]] bool runs_without_others() const noexcept {
        return certification != nullptr && certification->without_others();
    }

    /// Whether a thread has run all of its events in the graph.
    [[nodiscard]] static bool at_end(const thread_state& thread) noexcept { return thread.next == thread.path.size(); }
    /// Whether the whole graph was run, so that its consistency can be checked.
    [[nodiscard]] bool replayed() const noexcept { return executed == graph->size(); }

    /// Of a graph that was just made: what follows a future read has not been run with what it reads now.
    [[nodiscard]] bool is_first_run_of_future_read_graph() const noexcept {
        return graph->future_reads && given == graph->unrevisitable_prefix;
    }
    /// Whether a future read was run, and the write that it reads from was not yet.
    [[nodiscard]] bool some_future_read_is_open() const noexcept;

    [[nodiscard]] std::uint64_t value_of(event_id rf, const object& target) const noexcept {
        return rf == initial_write ? target.initial : (*graph)[rf].write().value;
    }
    /// Where the running thread is.
    [[nodiscard]] moment note_moment();
    /// Whether all events of the thread of `earlier` before it happen before `later`.
    [[nodiscard]] bool happens_before(const moment& earlier, const moment& later) const noexcept;
    /// The read half of a read-modify-write.
    [[nodiscard]] const event& read_before(const event& write) const noexcept {
        return (*graph)[of(write.thread_id).path[write.index - std::size_t{1}]];
    }
    /// The notification that has woken the running thread, whose wait ends with a read from `rf`; the initial write if
    /// none has.
    [[nodiscard]] event_id notification_taken(event_id rf) const noexcept;
    /// Of a thread that reacquires the mutex at the end of a wait: the mutex write that would make that redundant.
    [[nodiscard]] event_id redundant_wake_up_write(const thread_state& thread) const noexcept;
    /// The thread with the first event of the graph that can run now: all threads are at their next events, and the
    /// write that it reads from has run. -1: none. So the state at an event depends on the graph alone, not on the
    /// schedule of the run.
    [[nodiscard]] int thread_due() noexcept;
    /// Whether a thread is at an operation that the co-maximal write blocks.
    [[nodiscard]] bool is_disabled(int thread_id) const noexcept;
    [[nodiscard]] const object* object_at(location where) const noexcept;
    /// Whether another thread's call that arrived may still be going on, for all that the running thread knows.
    [[nodiscard]] bool may_go_on(const arrival& of) const noexcept;
    /// How many have arrived in this phase.
    [[nodiscard]] std::uint64_t arrived(location where, std::uint32_t phase) const noexcept;
    /// Whether what a joining thread waits for has happened.
    [[nodiscard]] bool has_joined(const thread_state& thread) const noexcept;
    /// Whether all that were woken at this condition variable have left it.
    [[nodiscard]] bool have_left(location condition) const noexcept;

private:
    void add_paths();
    void note_first_access(memory_range where, access_kind kind);

    std::size_t all_done_ = 0;  ///< at least so many events at the beginning of the graph have run
};

}  // namespace ordeal::detail::graph
