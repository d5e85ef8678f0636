// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/happens_before.hpp"
#include "ordeal/engine/graph/execution_graph.hpp"
#include "ordeal/engine/graph/progress/repeated_reads.hpp"
#include "ordeal/engine/graph/progress/snapshot.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::graph {

enum class thread_status : std::uint8_t {
    ready,     ///< has more to run of its graph
    waiting,   ///< for the write that its next read reads from
    frontier,  ///< stands at an operation that the graph does not have
    blocked,   ///< adds no more events in this execution
    joining,   ///< waits for the end of another thread
    finished,
    absent,  ///< not created in this execution
};

/// Why a thread is blocked: by its last read, by the reads of the last turn of its loop, or because its loop is not
/// followed any further, `turns` unless nothing else can happen. `time`: in a wait that comes to an end by itself; `idle`:
/// in a wait that it has come back to after it had ended without a notification; `idle_for_a_time`: after it had come to
/// its limit. `endless`: it has made more plain accesses than any code that comes to an end.
enum class blocked_by : std::uint8_t { lock, wait, loop, turns, bound, time, idle, idle_for_a_time, endless };

/// An operation that failed for no reason, on trial: when the thread comes back to it in the same state, nothing was lost,
/// and it goes on as if that had not been.
struct speculation {
    bool active = false;
    snapshot failed;
    unsigned time_outs = 0;
};

/// One thread in one run.
struct thread_state : thread_views {
    thread_status status = thread_status::absent;
    bool halfway = false;  ///< at the frontier between the two events of a read-modify-write

    std::vector<event_id> path;  ///< its events, in program order
    std::uint16_t next = 0;      ///< in `path`: the event that runs next
    event_id awaited = initial_write;

    blocked_by why = blocked_by::lock;
    view wait_began;               ///< `prefix` at the beginning of its newest atomic wait
    std::uint16_t turn_begin = 0;  ///< in `path`: where the last turn of the loop begins

    unsigned spurious = 0;         ///< failures so far
    unsigned yields = 0;           ///< since it last wrote, each after it had read something
    std::uint16_t yielded_at = 0;  ///< in `path`
    unsigned time_outs = 0;        ///< since it last wrote
    std::vector<snapshot> looks;   ///< at operations that a loop may come back to, since its last effect or lock
    repeated_reads repeated;
    unsigned turns = 0;  ///< while it is blocked by them: how many
    speculation guess;

    location condition = no_location;  ///< on which it waits idly
    bool polls_clock = false;          ///< in the last turn of its loop
    std::uint16_t woke_early = 0;      ///< in `path`, after the newest wake-up without a notification or a time limit
    unsigned wake_ups = 0;             ///< spurious ends of waits on condition variables so far
    deeds done;
    bool try_lock_failed = false;  ///< since it last took a lock
    unsigned lock_turns = 0;       ///< locks taken after that, without any effect
    deeds turns_after;
    std::vector<snapshot> waits;               ///< as they began
    std::vector<std::uintptr_t> shared_locks;  ///< that it holds as a reader, once for each time

    bool asked_id = false;  ///< knows its own id
    unsigned created = 0;   ///< threads
    int joined = 0;         ///< the number of the thread whose end it waits for
    void (*body)(void*) = nullptr;
    void* argument = nullptr;

    [[nodiscard]] bool is_blocked(blocked_by reason) const noexcept {
        return status == thread_status::blocked && why == reason;
    }
    /// Whether it came back to where it was, in a loop that would go on.
    [[nodiscard]] bool goes_round() const noexcept {
        return is_blocked(blocked_by::loop) || is_blocked(blocked_by::idle_for_a_time);
    }

    void begin(thread_status how) {
        status = how;
        halfway = false;
        static_cast<thread_views&>(*this) = {};
        path.clear();
        next = 0;
        spurious = yields = time_outs = 0;
        yielded_at = 0;
        looks.clear();
        repeated.clear();
        guess.active = false;
        wake_ups = created = 0;
        asked_id = false;
        done = {};
        turns_after = {};
        try_lock_failed = false;
        lock_turns = 0;
        waits.clear();
        shared_locks.clear();
        polls_clock = false;
        woke_early = 0;
        condition = no_location;
    }
};

}  // namespace ordeal::graph
