// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"
#include "ordeal/engine/graph/core/state/iteration_starts.hpp"
#include "ordeal/engine/graph/core/state/old_values.hpp"
#include "ordeal/engine/graph/core/state/own_blocks.hpp"
#include "ordeal/engine/graph/core/state/repeated_reads.hpp"
#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"
#include "ordeal/runtime/runtime.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// An operation that failed spuriously, in speculation: if the thread returns to it in the same state, the failure made
/// no difference and the run continues without it.
struct speculation {
    bool active = false;
    thread_fingerprint failed;
    unsigned time_outs = 0;
    std::uint64_t since_header = 0;  ///< thread_progress::since_header when it failed
};

/// The beginning of a wait on a condition variable or a futex.
struct wait_beginning {
    thread_fingerprint state;
    bool limit_is_over = false;  ///< its time limit was over before it began
};

/// What a thread has done since it took a lock.
struct lock_taken {
    static constexpr std::size_t most_reads = 8;

    event_index after = 0;              ///< the number of the thread's events when it took it; 0: it has taken none
    thread_effects done;                ///< of the thread up to the lock
    std::uint64_t writes_to_stack = 0;  ///< thread_progress::writes_to_stack at the lock
    /// What it has read since, outside its own stack: the first `count` are in use.
    std::array<memory_range, most_reads> reads{};
    std::size_t count = 0;
    bool only_reads = true;  ///< `reads` are all the accesses that it has made since, outside its own stack

    void note(memory_range where, bool reads_it) noexcept {
        only_reads = only_reads && reads_it && count < most_reads;
        if (only_reads) reads[count++] = where;
    }
    [[nodiscard]] bool has_all_reads_of(const lock_taken& other) const noexcept {
        const auto has = [&](const memory_range& read) {
            return std::any_of(reads.begin(), reads.begin() + count, [&](const memory_range& each) {
                return each.address == read.address && each.size == read.size;
            });
        };
        return std::all_of(other.reads.begin(), other.reads.begin() + other.count, has);
    }
    /// A hash of what the bytes that it has read hold now.
    [[nodiscard]] std::uint64_t hash_of_reads() const noexcept {
        std::uint64_t result = 0;
        for (std::size_t i = 0; i < count; ++i) result = hash_of_bytes(reads[i].address, reads[i].size, result);
        return result;
    }
};

/// The start of an iteration that a thread has come to directly after it took a lock.
struct start_behind_lock {
    lock_taken lock;          ///< `after` is 0: there is none, or somebody knows of it
    std::uint64_t reads = 0;  ///< lock_taken::hash_of_reads() at the start
};

/// Whether a thread makes progress: the states it was in, its effects since then, and the iterations that are counted.
struct thread_progress {
    thread_effects done;
    own_blocks blocks;
    std::vector<thread_fingerprint> loop_visits;  ///< operations that a loop may return to, since its last effect
    graph::iteration_starts iteration_starts;     ///< of the loops that it is in, since its last effect
    /// How many events it had at the start of each iteration, ascending; also those of earlier threads with its id.
    std::vector<event_index> starts_at;
    /// Accesses since its last effect. One is noted once, until the thread does anything but read atomics.
    std::vector<noted_access> first_accesses;
    unsigned starts_compared = 0;    ///< starts compared with all of memory, where it was not known whether they repeat
    bool accesses_in_loops = false;  ///< it has made an access that is in `first_accesses`
    bool non_atomic_accesses_in_loops = false;  ///< it has made a non-atomic access that is in `first_accesses`
    std::uint64_t since_header = 0;  ///< thread_fingerprint::since_header, without the arguments of an operation
    std::vector<wait_beginning> waits_begun;  ///< on condition variables and futexes
    old_values since_wait;                    ///< since the newest of them, if some wait has ended spuriously
    std::uint64_t undone_writes = 0;          ///< of `done.writes`, those that were restored at a wait
    unsigned waits_made = 0;                  ///< on condition variables, and on futexes if it slept
    bool compares = false;                    ///< some visit or start may have the state of the thread
    bool compares_memory = false;             ///< some visit or start may have the state of the thread and of memory
    event_index since = 0;                    ///< if `compares`: accesses from this epoch on may be repeated
    event_index only_reads_since = 0;         ///< from this epoch on it has done nothing but read atomics
    std::uint64_t suspended_memory = 0;       ///< if `compares_memory`: hash of memory when it suspended
    std::uint64_t suspended_when = 0;         ///< run_state::resumed when it suspended
    speculation speculated;
    repeated_reads repeated;

    unsigned spurious = 0;         ///< spurious failures so far
    unsigned wake_ups = 0;         ///< spurious returns of waits so far
    woken_accesses after_wake_up;  ///< what it has accessed since the first of those
    event_index waited_from = 0;   ///< from this epoch on it had done nothing but read when it began its newest wait
    event_index woke_spuriously_at = 0;  ///< in `path`, after its latest spurious return from a wait
    unsigned yields = 0;                 ///< since its last write, each after an event
    event_index yielded_at = 0;          ///< in `path`
    unsigned time_outs = 0;              ///< since its last write
    bool try_lock_failed = false;        ///< since it last acquired a lock
    lock_taken newest_lock;
    std::uint64_t writes_to_stack = 0;  ///< of non-atomic bytes of its own stack
    graph::start_behind_lock start_behind_lock;
    unsigned lock_iterations = 0;     ///< locks acquired after a failed try_lock, without an effect between them
    thread_effects iterations_after;  ///< what it had done at the newest of those locks

    /// What the thread does next may depend on `what`, beside the state at the header of its loop.
    void note_input(std::uint64_t what) noexcept {
        if (since_header != 0) since_header = hash_of_number(what, since_header);
    }
    void note_start_at(event_index events) {
        if (starts_at.empty() || starts_at.back() != events) starts_at.push_back(events);
    }
    /// Whether it began an iteration with at least `first` and fewer than `end` events.
    [[nodiscard]] bool has_start_at(event_index first, event_index end) const noexcept {
        const auto found = std::ranges::lower_bound(starts_at, first);
        return found != starts_at.end() && *found < end;
    }
    /// Whether an iteration of it may be left out, so that its accesses are noted.
    [[nodiscard]] bool notes_accesses() const noexcept { return compares || wake_ups != 0; }
    /// No iteration that it is in fails.
    void leave_iterations() noexcept {
        since_header = 0;
        iteration_starts.clear();
        first_accesses.clear();
    }

    void begin() noexcept {
        done = iterations_after = {};
        blocks.clear();
        newest_lock = {};
        writes_to_stack = 0;
        start_behind_lock = {};
        loop_visits.clear();
        leave_iterations();
        waits_begun.clear();
        since_wait = {};
        undone_writes = 0;
        waits_made = starts_compared = 0;
        compares = compares_memory = accesses_in_loops = non_atomic_accesses_in_loops = speculated.active = false;
        repeated.clear();
        spurious = wake_ups = yields = time_outs = lock_iterations = 0;
        after_wake_up.clear();
        woke_spuriously_at = yielded_at = waited_from = 0;
        try_lock_failed = false;
    }
};

}  // namespace ordeal::detail::graph
