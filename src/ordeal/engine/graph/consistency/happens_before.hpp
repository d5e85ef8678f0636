// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

namespace ordeal::graph {

/// What a thread has come to know at one point of a run.
struct thread_views {
    view hb;
    view porf;
    view pending;   ///< release views of what relaxed reads have read, for the next acquire fence
    view released;  ///< `hb` at the last release fence
    view fixed;     ///< of other threads, what creating and joining threads alone orders before this point
};

/// Happens-before of a graph, worked out event by event while the graph is run: the synchronises-with of C++20.
class happens_before {
public:
    /// `always`: as if every store released and every load acquired, whatever order they have.
    explicit happens_before(bool always) noexcept : always_(always) {}

    /// The views of a read, or of any other event, from where its thread stands. The write of a read-modify-write continues
    /// the release sequence of `rf`.
    void describe_read(const execution_graph& graph, views_table& views, const thread_views& from, event_id id) const;
    void describe_write(const execution_graph& graph, views_table& views, const thread_views& from, event_id id,
                        event_id rf) const;

    /// The thread is past the event.
    void go_past(const execution_graph& graph, const views_table& views, thread_views& me, event_id id) const;
    /// Before a fence is described, and when the thread is past it.
    void begin_fence(thread_views& me, order how) const {
        if (acquiring(how)) me.hb.join(me.pending);
    }
    void end_fence(thread_views& me, order how) const {
        if (releasing(how)) me.released = me.hb;
    }

private:
    [[nodiscard]] bool acquiring(order how) const noexcept { return always_ || acquires(how); }
    [[nodiscard]] bool releasing(order how) const noexcept { return always_ || releases(how); }

    bool always_;
};

}  // namespace ordeal::graph
