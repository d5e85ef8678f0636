// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/repeated_reads.hpp"
#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// An operation that failed for no reason, on trial: when the thread comes back to it in the same state, nothing was lost,
/// and it goes on as if that had not been.
struct speculation {
    bool active = false;
    thread_fingerprint failed;
    unsigned time_outs = 0;
};

/// Whether a thread gets on: where it has been, what it has done since, and the iterations that are counted.
struct thread_progress {
    thread_effects done;
    std::vector<thread_fingerprint>
        loop_visits;  ///< at operations that a loop may come back to, since its last effect or lock
    std::vector<thread_fingerprint> waits_begun;  ///< as they began
    bool compares = false;                        ///< some of `loop_visits` may have all of a state
    std::uint16_t since = 0;                      ///< if so: what was accessed from this epoch on may be accessed again
    std::uint64_t suspended_memory = 0;           ///< if so: hash of memory when it suspended...
    std::uint64_t suspended_when = 0;             ///< ...and execution_state::resumed then
    speculation speculated;
    repeated_reads repeated;

    unsigned spurious = 0;  ///< failures so far
    unsigned wake_ups = 0;  ///< spurious ends of waits so far
    std::uint16_t woke_spuriously_at =
        0;                         ///< in `path`, after the newest wake-up without a notification or a time limit
    unsigned yields = 0;           ///< since it last wrote, each after it had read something
    std::uint16_t yielded_at = 0;  ///< in `path`
    unsigned time_outs = 0;        ///< since it last wrote
    bool try_lock_failed = false;  ///< since it last took a lock
    unsigned lock_iterations = 0;  ///< locks taken after that, without any effect
    thread_effects iterations_after;

    void begin() noexcept {
        done = iterations_after = {};
        loop_visits.clear();
        waits_begun.clear();
        compares = speculated.active = false;
        repeated.clear();
        spurious = wake_ups = yields = time_outs = lock_iterations = 0;
        woke_spuriously_at = yielded_at = 0;
        try_lock_failed = false;
    }
};

}  // namespace ordeal::graph
