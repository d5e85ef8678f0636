// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/happens_before.hpp"

namespace ordeal::detail::graph {

namespace {

// Readers of a shared mutex are ordered after writers, not after each other ([thread.sharedmutex.requirements]): a
// reader acquires the unlock of the last writer, the store below a chain of the readers' read-modify-writes.
event_id last_writer_of_lock(const execution_graph& graph, event_id rf) {
    while (rf != initial_write && graph[rf].is_rmw()) rf = graph.rf_of_rmw(rf);
    return rf;
}

// What a read of these bytes from `rf` synchronises with, if it acquires: the latest write of each of them.
void join_message_view(view& to, const execution_graph& graph, const views_table& all, event_id rf,
                       const footprint& bytes) {
    if (!bytes.is_mixed()) [[likely]] {
        to.join(all[rf].message_view);
        return;
    }
    std::uint32_t left = bytes.bytes();
    for (event_id write = rf; left != 0; left &= ~graph[write].bytes.bytes()) {
        write = graph.write_of(write, left);
        if (write == initial_write) return;
        to.join(all[write].message_view);
    }
}

}  // namespace

void happens_before::calculate_read_views(const execution_graph& graph, views_table& all, const thread_views& from,
                                          event_id id) const {
    const event& read = graph[id];
    event_views& views = all[id];
    views.hb_before_acquire.become(from.hb);
    views.hb.become(from.hb);
    views.porf.become(from.porf);
    views.hb.add_one_of(read.thread_id);
    views.porf.add_one_of(read.thread_id);
    if (read.read().rf == initial_write || read.is_future_read()) return;  // it orders nothing after what it reads
    const event_views& rf = all[read.read().rf];
    views.porf.join(rf.porf);
    if (!acquiring(read.using_order)) return;
    if (!is_shared(read.read().form)) {
        join_message_view(views.hb, graph, all, read.read().rf, read.bytes);
    } else if (const event_id writer = last_writer_of_lock(graph, read.read().rf); writer != initial_write) {
        views.hb.join(all[writer].message_view);
    }
}

void happens_before::calculate_write_views(const execution_graph& graph, views_table& all, const thread_views& from,
                                           event_id id, event_id rf) const {
    const event& write = graph[id];
    event_views& views = all[id];
    views.hb.become(from.hb);
    views.porf.become(from.porf);
    views.hb.add_one_of(write.thread_id);
    views.porf.add_one_of(write.thread_id);
    views.message_view.become(releasing(write.using_order) ? views.hb : from.rel);
    // A read-modify-write continues the release sequence that it read from ([atomics.order]/2 by [intro.races]/5).
    if (write.is_rmw() && !write.write().blind && rf != initial_write)
        join_message_view(views.message_view, graph, all, rf, write.bytes);
}

void happens_before::go_past(const execution_graph& graph, const views_table& views, thread_views& me,
                             event_id id) const {
    const event& made = graph[id];
    if (made.reads_event() && !made.is_future_read() && !acquiring(made.using_order) && !made.is_blind()) {
        join_message_view(me.acq, graph, views, made.read().rf, made.bytes);
    }
    me.hb.become(views[id].hb);
    me.porf.become(views[id].porf);
}

}  // namespace ordeal::detail::graph
