// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

namespace ordeal::detail::graph {

/// The views of a thread at one point of a run.
struct thread_views {
    view hb;
    view porf;
    view acq;           ///< message views of the writes read by relaxed reads, for the next acquire fence
    view rel;           ///< `hb` at the last release fence
    view fork_join_hb;  ///< events of other threads that creating and joining threads alone orders before this point
};

/// Happens-before of a graph, computed event by event as the graph is run: synchronises-with as in C++20.
class happens_before {
public:
    /// `always`: every store releases and every load acquires, whatever their order.
    explicit happens_before(bool always) noexcept : always_(always) {}

    /// Computes the views of a read, or of any other event, from those of its thread. The write of a read-modify-write
    /// continues the release sequence of `rf`.
    void calculate_read_views(const execution_graph& graph, views_table& views, const thread_views& from,
                              event_id id) const;
    void calculate_write_views(const execution_graph& graph, views_table& views, const thread_views& from, event_id id,
                               event_id rf) const;

    /// The thread moves past the event.
    void go_past(const execution_graph& graph, const views_table& views, thread_views& me, event_id id) const;
    /// Called before the views of a fence are calculated, and when the thread moves past it.
    void begin_fence(views_table& views, thread_views& me, event_id id, order how) const {
        views[id].hb_before_acquire.become(me.hb);
        if (acquiring(how)) me.hb.join(me.acq);
    }
    void end_fence(thread_views& me, order how) const {
        if (releasing(how)) me.rel = me.hb;
    }

private:
    [[nodiscard]] bool acquiring(order how) const noexcept { return always_ || acquires(how); }
    [[nodiscard]] bool releasing(order how) const noexcept { return always_ || releases(how); }

    bool always_;
};

}  // namespace ordeal::detail::graph
