// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Critical sections in no order.
//
// n threads that look up something under one mutex, or write each into a place of its own, have n! executions, and
// nobody can tell one from another. So a search first explores the program without its locks: to lock and to unlock a
// mutex is no event, orders nothing, and nobody waits.
//
// What it finds then holds for the program. Without its locks a program has every execution that it has with them, and
// more: to remove a lock removes happens-before and nothing else, and no axiom of a memory model forbids an execution
// for lack of happens-before. Two sections that touch the same bytes, one of them writing, race. So if no execution is
// wrong, none of the program's own is, but for what a program can do with a lock or with happens-before alone:
//
// - wait for a lock for ever. A thread does so only if another one waits or ends while it holds the lock. Within a
//   section there is no event, no wait and no other lock: the thread comes to its end, whatever others do. No thread
//   ends within one, and nobody begins one of a mutex that is held, be it by a thread that locked it while there was no
//   other;
// - find a mutex locked (try_lock, time limits), or wait for a condition;
// - be given memory that was freed before, or the id of a thread that ended before; see a time that has passed before;
//   have a history with operations one after the other.
//
// The first of these in a search that has elided a lock ends it, and so does every violation, and every outcome, which
// may be of an execution that the program does not have. Then all begins again with locks that are events
// (search_facts::order_of_sections). Most often that is in the first execution, where the first two sections conflict.
//
// Not elided are the locks of one-time initialisation and of exceptions, which are held while code on trial runs.
//
// Elision: Rajwar, Goodman, "Speculative Lock Elision: Enabling Highly Concurrent Multithreaded Execution", MICRO 2001.
// That sections need an order only where they conflict: Kokologiannakis, Raad, Vafeiadis, "Effective Lock Handling in
// Stateless Model Checking" (LAPOR), OOPSLA 2019, which orders single sections, within one search.
#pragma once

#include "ordeal/engine/graph/core/run/run_end.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <algorithm>
#include <cstdint>

namespace ordeal::detail::graph {

/// The critical sections of the running thread whose locks are no events.
class lock_elision {
public:
    lock_elision(run_state& run, run_end& run_end) : run_(run), run_end_(run_end) {}

    /// Whether to lock this mutex is no event.
    [[nodiscard]] bool elides(std::uintptr_t mutex) const noexcept {
        return run_.graph->elides_locks && !run_.single_threaded() && (mutex & companion_lock) == 0;
    }
    void begin_section(const object& mutex) {
        run_end_.elide_lock();
        if (run_.self().elided_lock != 0 || is_held(mutex)) run_end_.need_locks();
        run_.self().elided_lock = mutex.where.address;
    }
    /// Returns whether the running thread is within such a section of the mutex, which ends now.
    [[nodiscard]] bool end_section(std::uintptr_t mutex) noexcept {
        if (mutex == 0 || run_.self().elided_lock != mutex) return false;
        run_.self().elided_lock = 0;
        return true;
    }

private:
    [[nodiscard]] bool is_held(const object& mutex) const noexcept {
        return mutex.owner != -1 || std::ranges::any_of(run_.order(), [&](int thread_id) {
                   const auto& held = run_.of(thread_id).shared_locks;
                   return std::ranges::find(held, mutex.where.address) != held.end();
               });
    }

    run_state& run_;
    run_end& run_end_;
};

}  // namespace ordeal::detail::graph
