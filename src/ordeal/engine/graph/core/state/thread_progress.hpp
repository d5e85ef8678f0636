// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/repeated_reads.hpp"
#include "ordeal/engine/graph/core/state/thread_fingerprint.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// An operation that failed spuriously, on trial: if the thread returns to it in the same state, the failure made no
/// difference and the run continues without it.
struct speculation {
    bool active = false;
    thread_fingerprint failed;
    unsigned time_outs = 0;
};

/// Whether a thread makes progress: the states it was in, its effects since then, and the iterations that are counted.
struct thread_progress {
    thread_effects done;
    std::vector<thread_fingerprint> loop_visits;  ///< operations that a loop may return to, since its last effect
    std::vector<thread_fingerprint> waits_begun;  ///< at their beginning
    bool compares = false;                        ///< some of `loop_visits` may have the whole state
    std::uint16_t since = 0;                      ///< if so: accesses from this epoch on may be repeated
    std::uint64_t suspended_memory = 0;           ///< if so: hash of memory when it suspended...
    std::uint64_t suspended_when = 0;             ///< ...and execution_state::resumed then
    speculation speculated;
    repeated_reads repeated;

    unsigned spurious = 0;                 ///< spurious failures so far
    unsigned wake_ups = 0;                 ///< spurious returns of waits so far
    std::uint16_t woke_spuriously_at = 0;  ///< in `path`, after its latest spurious return from a wait
    unsigned yields = 0;                   ///< since its last write, each after a read
    std::uint16_t yielded_at = 0;          ///< in `path`
    unsigned time_outs = 0;                ///< since its last write
    bool try_lock_failed = false;          ///< since it last acquired a lock
    unsigned lock_iterations = 0;          ///< locks acquired after that without an effect
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

}  // namespace ordeal::detail::graph
