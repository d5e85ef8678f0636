// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace ordeal::detail::graph {

/// An iteration of a loop, or of the wait that it is in, that returned its thread to an earlier state.
struct iteration {
    event_index begin = 0;       ///< in its thread's program order
    bool polls_clock = false;    ///< it read a clock, which stood still
    bool writes = false;         ///< it has to undo what it wrote to atomics and locks
    event_index same_since = 0;  ///< the state has been the same at each head since; 0: not known

    /// If it began in a wait on a condition variable: the event that woke its thread up.
    [[nodiscard]] event_index wake_up() const noexcept {
        constexpr event_index events_of_entering = 3;  // enters (2), unlocks
        return begin + events_of_entering;
    }
};

/// Why a thread is blocked. Each reason has the data that decides whether the thread stays blocked.
namespace blocked {

/// By a lock or the like: the write that `read` reads from must no longer be co-maximal.
struct by_lock {
    event_id read;
};
/// In an atomic wait, until a notification.
struct by_wait {
    event_id read;
    view began;  ///< `porf` at the beginning of the wait
};
/// Its loop has returned to an earlier state.
struct by_spinloop {
    iteration last;
};
/// Its loop reads the same in each iteration, and is followed further only if nothing else can happen.
struct by_iterations {
    event_index begin;  ///< of the last iteration, in its thread's program order
    unsigned count;
};
/// Its next operation is beyond a bound, or belongs to other executions.
struct by_bound {};
/// A redundant retry: the thread continues in another execution, in which an earlier read reads from the same write.
struct by_retry {};
/// At a violation that is accepted.
struct by_acceptance {};
/// At an assumption that does not hold.
struct by_assumption {};
/// In a wait that ends at its time limit.
struct by_timed_wait {};
/// In a wait on a condition variable that was entered again, in the same state, after it had returned spuriously.
struct by_redundant_wake_up {
    iteration last;
    location condition;
    int thread_id;  ///< of the waiting thread
};
/// The same after the wait had timed out.
struct by_redundant_timed_wait : by_redundant_wake_up {};
/// It has made more non-atomic accesses than any code that terminates.
struct by_endless_loop {};

}  // namespace blocked

using block_reason =
    std::variant<blocked::by_lock, blocked::by_wait, blocked::by_spinloop, blocked::by_iterations, blocked::by_bound,
                 blocked::by_retry, blocked::by_acceptance, blocked::by_assumption, blocked::by_timed_wait,
                 blocked::by_redundant_wake_up, blocked::by_redundant_timed_wait, blocked::by_endless_loop>;

/// What a permanently blocked thread is doing, in words.
struct stuck_thread {
    std::string description;
    bool names_object = false;  ///< the words are followed by the object of its last step: "waits for"
    std::uintptr_t of = 0;      ///< the address of the object; 0: its thread's last step has one
};

}  // namespace ordeal::detail::graph
