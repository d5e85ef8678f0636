// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/run_end.hpp"
#include "ordeal/engine/graph/core/execution/strategy.hpp"
#include "ordeal/engine/graph/core/liveness/woken_waits.hpp"

#include <cstdint>

namespace ordeal::graph {

/// Graphs in which a thread is blocked, and stays so in all that comes of them: its last read was not added maximally, since it passed
/// over a newer write, or failed spuriously, and so no revisit changes or deletes it. Nothing that comes of such a graph is an execution.
/// Nothing is lost with it either: whatever the others do there, they also do where the thread has not made its last turn yet, and
/// makes it at the very end, with what is newest then. It has touched nothing in that turn that it had not touched before
/// (thread_effects::touched), and since then has told nobody anything: who races with the turn races with what was before.
class blocked_threads {
public:
    blocked_threads(const execution_state& run, run_end& run_end) : run_(run), run_end_(run_end) {}

    void begin(const strategy& how) noexcept { strategy_ = &how; }
    /// Whether runs are left at dead ends from now on. Otherwise threads are blocked there like anywhere else.
    void may_leave(bool whether) noexcept { leaves_ = whether; }

    /// The running thread has come back to where it stood before this event of it, and is about to be blocked. Returns if this is no
    /// dead end.
    void abandon_if_blocked_permanently(std::uint16_t iteration_begin) const;
    /// The same for an atomic wait. If nothing is sure to wake it, it may be a deadlock.
    void abandon_if_blocked_permanently(const blocked::by_wait& why) const;

private:
    [[nodiscard]] bool only_reads_since_first_visit() const;
    [[nodiscard]] bool is_permanent() const;

    const execution_state& run_;
    run_end& run_end_;
    woken_waits woken_waits_{run_};
    const strategy* strategy_ = nullptr;
    bool leaves_ = false;
};

}  // namespace ordeal::graph
