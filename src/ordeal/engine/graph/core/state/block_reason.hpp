// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <string_view>
#include <variant>

namespace ordeal::graph {

/// An iteration of a loop, or of a wait that it is in, which led its thread back to where it was.
struct iteration {
    std::uint16_t begin = 0;   ///< in its thread's program order
    bool polls_clock = false;  ///< it looked at a clock, which stood still
};

/// Why a thread is blocked: each reason has what decides whether the thread stays so.
namespace blocked {

/// By a lock or the like: what the read took must not be the newest any more.
struct by_lock {
    event_id read;
};
/// In an atomic wait: a notification must wake it.
struct by_wait {
    event_id read;
    view began;  ///< `porf` at the beginning of the wait
};
/// It has come back to where it was.
struct by_loop {
    iteration last;
};
/// Its loop finds the same each time, and is not followed any further unless nothing else can happen.
struct by_iterations {
    std::uint16_t begin;  ///< of the last, in its thread's program order
    unsigned count;
};
/// What it would do is not followed, or belongs to other executions.
struct by_bound {};
/// It has read again what an earlier read of it could have read as well: in another execution it goes on from there.
struct by_retry {};
/// It has come to a violation that is accepted, and goes no further.
struct by_acceptance {};
/// In a wait that comes to an end by itself.
struct by_timed_wait {};
/// In a wait for a condition variable that it has come back to after the wait had ended for no reason.
struct by_idle_wait {
    iteration last;
    location condition;
    std::uint64_t woken;  ///< the bit of its value that a notification of this thread sets
};
/// The same, after the wait had come to its time limit.
struct by_idle_timed_wait : by_idle_wait {};
/// It has made more plain accesses than any code that comes to an end.
struct by_endless_loop {};

}  // namespace blocked

using block_reason = std::variant<blocked::by_lock, blocked::by_wait, blocked::by_loop, blocked::by_iterations,
                                  blocked::by_bound, blocked::by_retry, blocked::by_acceptance, blocked::by_timed_wait,
                                  blocked::by_idle_wait, blocked::by_idle_timed_wait, blocked::by_endless_loop>;

/// What a thread does that never goes on, in words.
struct stuck_thread {
    std::string_view description;
    bool names_object = false;  ///< the words lead to the object of its last step: "waits for"
};

}  // namespace ordeal::graph
