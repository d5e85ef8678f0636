// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace ordeal::detail::graph {

/// An iteration of a loop, or of the wait that it is in, that returned its thread to an earlier state.
struct iteration {
    event_index begin = 0;           ///< in its thread's program order
    bool polls_clock = false;        ///< it read a clock, which stood still
    event_index same_since = begin;  ///< the state has been the same at each start since, as far as is known
    /// What the thread has written to atomics and locks from here on has no effect in sum; nothing: it has written
    /// nothing.
    std::optional<event_index> undone_from = begin;
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
/// In a loop, or in the wait of one, that has returned to an earlier state.
struct by_spinloop {
    iteration last;
    location awaited = no_location;  ///< the condition variable that it waits on; no_location: it waits on none
    bool goes_on = true;             ///< by itself; false: in a wait that only a notification ends
};
/// Its loop reads the same in each iteration, and is followed further only if nothing else can happen.
struct by_iterations {
    event_index begin;  ///< of the last iteration, in its thread's program order
    unsigned count;
};
/// The search is cut: the next operation is beyond a bound, or belongs to other executions.
struct by_pruning {
    std::optional<event_index> undone_from = std::nullopt;  ///< as in `iteration`
};
/// At a violation that is accepted.
struct by_acceptance {};
/// At an assumption that does not hold.
struct by_assumption {};
/// In a wait that ends at its time limit.
struct by_timed_wait {};
/// It has made more non-atomic accesses than any code that terminates.
struct by_endless_loop {};

}  // namespace blocked

using block_reason =
    std::variant<blocked::by_lock, blocked::by_wait, blocked::by_spinloop, blocked::by_iterations, blocked::by_pruning,
                 blocked::by_acceptance, blocked::by_assumption, blocked::by_timed_wait, blocked::by_endless_loop>;

/// What a thread is doing that is blocked for ever, in words.
struct stuck_thread {
    std::string description;
    bool names_object = false;  ///< the words are followed by the object of its last step: "waits for"
    std::uintptr_t of = 0;      ///< the address of the object; 0: its thread's last step has one
};

}  // namespace ordeal::detail::graph
