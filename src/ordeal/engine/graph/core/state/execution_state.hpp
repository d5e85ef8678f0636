// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/consistency/consistency.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"
#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"
#include "ordeal/engine/graph/core/state/object.hpp"
#include "ordeal/engine/graph/core/state/recorded_waits.hpp"
#include "ordeal/engine/graph/core/state/thread_state.hpp"
#include "ordeal/engine/graph/core/state/thread_tree.hpp"

#include "ordeal/runtime/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// What one execution changes and more than one part of the engine looks at: its graph with what the run found out about
/// the events, its threads, its objects. A value: nothing in it points into a stack or into itself.
struct execution_state {
    execution_graph* graph = nullptr;         ///< belongs to the caller of the run, and grows during it
    const thread_tree* thread_ids = nullptr;  ///< belongs to the search

    views_table views;
    consistency model{memory_model::rc11};  ///< knows which events it has gone past
    std::array<thread_state, max_thread_ids> threads;
    ordeal::graph::objects objects;
    std::array<std::uint32_t, max_thread_ids> constructed{};  ///< atomics and mutexes, by thread
    freed_blocks freed;
    std::vector<notification> notifications;
    std::vector<atomic_wait> waits;  ///< that returned
    std::vector<condition_wait> condition_waits;
    std::vector<accepted_violation> accepted;  ///< each once

    int thread_id = main_thread_id;      ///< of the running thread
    int chosen = -1;                     ///< the thread that may add the next event
    bool passed_over = false;            ///< one before it has to wait, and may not have to after any event
    bool in_order = false;               ///< events of the graph are run in its order, see thread_due()
    std::uint64_t resumed = 0;           ///< so often a thread has gone on, in all runs
    std::size_t executed = 0;            ///< events
    std::size_t snapshot_due = 0;        ///< after so many events a copy of the run is worth what it costs
    std::size_t given = 0;               ///< events that the graph had at the beginning
    std::uint32_t step = 0;              ///< of the trace
    std::uint32_t operations = 0;        ///< the same, but for plain accesses
    unsigned single_threaded_reads = 0;  ///< since the only thread last did something else
    bool executing = false;
    bool finishing = false;      ///< all threads are over
    bool before_others = false;  ///< the only thread has created none so far
    bool some_waited = false;    ///< on a condition variable, or a futex

    iteration_accesses* noted = nullptr;  ///< where plain accesses are noted; null: nowhere

    /// Threads that may have changed since this was last cleared, by number.
    std::array<bool, max_thread_ids> changed{};

    /// For the next run: as new, but for the memory that tables hold.
    void begin(execution_graph& whole);

    /// All but the threads, the objects, and the views of events.
    void save(snapshot& to) const;
    void restore(snapshot& from);
    /// The run goes on along another graph, which begins with the events that were run.
    void go_on_along(execution_graph& whole);

    [[nodiscard]] thread_state& of(int thread) noexcept { return threads[static_cast<std::size_t>(thread)]; }
    [[nodiscard]] const thread_state& of(int thread) const noexcept {
        return threads[static_cast<std::size_t>(thread)];
    }
    [[nodiscard]] thread_state& self() noexcept { return of(thread_id); }
    [[nodiscard]] const thread_state& self() const noexcept { return of(thread_id); }
    [[nodiscard]] std::size_t index() const noexcept { return static_cast<std::size_t>(thread_id); }
    /// The running thread's: the number of its events so far, and one.
    [[nodiscard]] std::uint16_t epoch() const noexcept { return static_cast<std::uint16_t>(self().hb[index()] + 1); }
    /// Of the running thread, where plain accesses are noted.
    void note_access(memory_range where, bool writes) {
        if (noted != nullptr) [[unlikely]]
            noted->note(thread_id, self().next, where, writes);
    }
    /// Of the running thread, where states are compared: whether it has not made this access before.
    void note_touched(bool first) noexcept { self().done.touched += first ? 1 : 0; }
    /// All numbers but that of construction and finish, in the order of the search.
    [[nodiscard]] const std::vector<int>& order() const noexcept { return thread_ids->order(); }

    /// The running thread accesses something that is not on its own stack. Whether another has done so before, and creating and
    /// joining threads does not order that.
    [[nodiscard]] bool acts_concurrently() noexcept;
    /// Whether some thread but the running one has begun, and is not over.
    [[nodiscard]] bool another_is_there() const noexcept;
    /// How many there are in this execution so far.
    [[nodiscard]] int begun_threads() const noexcept;

    [[nodiscard]] bool alone() const noexcept { return thread_id == main_thread_id; }
    /// Whether nothing else runs beside the running thread: outside the threads, or before the only one has created any.
    [[nodiscard]] bool single_threaded() const noexcept { return alone() || before_others; }
    void leave_single_threaded() noexcept { before_others = false; }

    /// Whether a thread has run all that the graph has of it.
    [[nodiscard]] static bool at_end(const thread_state& thread) noexcept { return thread.next == thread.path.size(); }
    /// Whether all of the graph was run, so that its consistency can be judged.
    [[nodiscard]] bool replayed() const noexcept { return executed == graph->size(); }

    [[nodiscard]] std::uint64_t value_of(event_id rf, const object& target) const noexcept {
        return rf == initial_write ? target.initial : (*graph)[rf].value;
    }
    /// The read that is the other half of a read-modify-write.
    [[nodiscard]] const event& read_before(const event& write) const noexcept {
        return (*graph)[of(write.thread_id).path[write.index - std::size_t{1}]];
    }
    /// Of a thread that takes the mutex again at the end of a wait: the write with which it would do so in vain.
    [[nodiscard]] event_id redundant_wake_up_write(const thread_state& thread) const noexcept;
    /// The thread with the first event of the graph that can be run now: all stand at their next events, and what it reads
    /// is there. -1: none. What has been done at any event then depends on the graph alone, and not on how the run came there.
    [[nodiscard]] int thread_due() noexcept;
    /// Whether a thread stands at an operation that what is newest blocks.
    [[nodiscard]] bool has_to_wait(int thread_id) const noexcept;
    [[nodiscard]] const object* object_at(location where) const noexcept;

private:
    void add_paths();

    std::size_t all_done_ = 0;  ///< at least so many events at the beginning of the graph
};

}  // namespace ordeal::graph
