// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/happens_before.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/state/block_reason.hpp"
#include "ordeal/engine/graph/core/state/recorded_waits.hpp"
#include "ordeal/engine/graph/core/state/thread_progress.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace ordeal::detail::graph {

/// What a thread is doing in a run.
enum class thread_status : std::uint8_t {
    ready,        ///< has more events of its graph to run
    awaiting_rf,  ///< for the write that its next read reads from, or until its next event is due
    frontier,     ///< at an operation that the graph does not have yet
    blocked,      ///< adds no more events in this execution
    joining,      ///< waits for the end of another thread, or for the arrivals of others
    finished,
    absent,  ///< not created in this execution
};

/// The program order of a thread, and how far the graph has been run.
struct thread_path {
    std::vector<event_id> path;    ///< its events, in program order
    event_index next = 0;          ///< in `path`: the event that runs next
    bool halfway = false;          ///< at the frontier between the two events of a read-modify-write
    std::uint64_t operations = 0;  ///< that it has begun

    void begin() noexcept {
        path.clear();
        next = 0;
        operations = 0;
        halfway = false;
    }
};

enum class memory_access : std::uint8_t {
    read,
    write,
    update,  ///< a read-modify-write, or what may be one
};

/// The operation at which a thread stands at the frontier.
struct pending_operation {
    std::uintptr_t address = 0;  ///< of the object; 0: not one that several threads share
    bool writes = false;         ///< or may write

    /// Whether the order of the two may matter.
    [[nodiscard]] bool conflicts_with(const pending_operation& other) const noexcept {
        return address != 0 && address == other.address && (writes || other.writes);
    }
};

/// The write that an operation needs to be co-maximal at a location.
struct enabling_condition {
    location where = no_location;
    std::uint64_t initial = 0;  ///< the value before any write
    read_form what = read_form::load;
    event_id blocking_write = initial_write;  ///< another write that blocks it
};

/// What a thread waits for and holds.
struct thread_waits {
    event_id awaited = initial_write;          ///< while it is waiting: the write
    int joined = 0;                            ///< while it is joining a thread: its id
    std::optional<awaited_arrivals> arrivals;  ///< while it waits for those
    std::optional<location> departures;        ///< while it waits for threads woken at that condition variable
    pending_operation next_operation;          ///< while it is at the frontier
    std::optional<enabling_condition> needed;  ///< while it is at the frontier: without it the thread is disabled
    std::optional<std::uint64_t> wakes_at;     ///< while it is at the frontier: it goes on at that time, see sleeps
    bool time_is_up = false;                   ///< that time has come
    event_id went_on_at = initial_write;       ///< run_state::time_came when it was last let go on while blocked
    block_reason why;                          ///< while it is blocked
    view wait_began;                           ///< `porf` at the beginning of its latest atomic wait
    std::vector<std::uintptr_t> shared_locks;  ///< held as a reader, once per acquisition
    std::uintptr_t elided_lock = 0;            ///< held, and no event, see lock_elision; 0: none

    void begin() noexcept {
        awaited = initial_write;
        joined = 0;
        arrivals.reset();
        departures.reset();
        next_operation = {};
        needed.reset();
        wakes_at.reset();
        time_is_up = false;
        went_on_at = initial_write;
        why = {};
        wait_began = {};
        shared_locks.clear();
        elided_lock = 0;
    }
};

/// The state in which a created thread began. Threads that began alike may be interchangeable.
struct thread_beginning {
    static constexpr std::size_t most_bytes = 64;

    std::uintptr_t routine = 0;
    std::uintptr_t argument = 0;
    std::uint64_t time = 0;
    std::uint64_t inherited = 0;  ///< hash of what its creator passed on: signal mask, floating-point environment
    std::size_t block = 0;        ///< size of the heap block that the argument points to; 0: none, or freed since
    std::size_t block_at_first = 0;
    std::array<unsigned char, most_bytes> bytes{};  ///< its contents
    view hb;                                        ///< what happens before its start, the creation included
    int before = 0;              ///< the thread that its creator created directly before in the same state; 0: none
    bool distinguished = false;  ///< it has done something that tells it apart from the others
};

/// The group of interchangeable threads of which a thread has joined some.
struct joined_group {
    unsigned group = 0;  ///< joined in part; 0: none
    event_index at = 0;  ///< the number of its own events at that point
    // Its events between two joins of one group, and the events between those.
    event_index first_between = 0;
    event_index end_of_between = 0;
};

/// The creation of this thread, the threads that it has created and joined, and whether it knows its own id.
struct thread_creation {
    bool asked_id = false;                   ///< has called for its own id
    unsigned created = 0;                    ///< threads with ids of their own, by all threads that had this id
    unsigned predecessors = 0;               ///< threads that had its id
    std::bitset<max_thread_ids> joined_ids;  ///< of threads that it has joined, or those have: others may follow them
    void (*body)(void*) = nullptr;
    void* argument = nullptr;
    thread_beginning began;
    int newest = 0;                              ///< the thread that it created last, unless it has joined one since
    event_index newest_at = 0;                   ///< the creation event of that thread
    std::array<std::size_t, 4> freed_between{};  ///< sizes of blocks freed between creations of one group; 0: none
    joined_group joins;
    int joined_by = 0;

    void begin() noexcept { *this = {}; }
};

/// One thread in one run.
struct thread_state : thread_views, thread_path, thread_progress, thread_waits, thread_creation {
    thread_status status = thread_status::absent;
    bool resumed_from_snapshot = false;  ///< the run was rewound to where this thread requested a snapshot
    event_index newest_access = 0;       ///< epoch of its latest access outside its own stack; 0: none
    std::uintptr_t caller_frame = 0;     ///< of its latest call of the runtime; frames below belong to the engine

    /// Whether it has begun and not finished.
    [[nodiscard]] bool is_alive() const noexcept {
        return status != thread_status::absent && status != thread_status::finished;
    }
    /// Null: it is not blocked, or for another reason.
    template <class Reason>
    [[nodiscard]] const Reason* blocked_as() const noexcept {
        return status == thread_status::blocked ? std::get_if<Reason>(&why) : nullptr;
    }

    /// A thread begins that has the id of this one, which was joined.
    void begin_reusing_id() noexcept {
        status = thread_status::ready;
        caller_frame = 0;
        thread_progress::begin();
        thread_waits::begin();
        const unsigned created_before = created;
        const unsigned threads_before = predecessors + 1;
        thread_creation::begin();
        created = created_before;
        predecessors = threads_before;
    }

    void begin(thread_status how) noexcept {
        status = how;
        resumed_from_snapshot = false;
        newest_access = 0;
        caller_frame = 0;
        static_cast<thread_views&>(*this) = {};
        thread_path::begin();
        thread_progress::begin();
        starts_at.clear();
        thread_waits::begin();
        thread_creation::begin();
    }
};

}  // namespace ordeal::detail::graph
