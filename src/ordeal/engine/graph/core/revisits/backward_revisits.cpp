// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/revisits/backward_revisits.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/core/events/waiter_bits.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail::graph {

namespace {

// A wait on a condition variable that the write does not end may also end spuriously.
void emit_wake_up(execution_graph& revisited, event_id write, strategy& sink) {
    for (std::size_t i = 0; i < revisited.size(); ++i) {
        event& each = revisited[static_cast<event_id>(i)];
        if (!each.reads_from(write) || !each.read().wakes || !each.read().revisited) continue;
        if (is_woken(revisited[write].write().value, each.thread_id)) continue;
        each.read().spurious = true;
        sink.emit(revisited);
        each.read().spurious = false;
    }
}

}  // namespace

// A revisit deletes the events after the read that are outside the porf prefix of the write, and changes the read.
// TruSt asks for each pair of read and write whether all of these are maximal. But whether one is depends on the write
// alone: on its porf prefix, and on the events inserted before that one. So each event is asked once, and the reads
// that may be revisited are those after the last event that is neither maximal nor in the prefix.
std::size_t backward_revisits::first_revisitable(const execution_graph& graph, event_id write, const view& porf) {
    maximality_.begin(graph, porf);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const bool maximal = maximality_.is_maximally_added(graph, id);
        const bool stays = id == write || porf.contains(graph[id]);
        if (!maximal && !stays) begin = i + 1;
    }
    return begin;
}

bool backward_revisits::emit(const execution_graph& graph, const views_table& views, event_id write,
                             bool waiting_has_no_events, strategy& sink) {
    const location where = graph[write].where;
    const view& porf = views[write].porf;
    const auto may_read_it = [&](const event& each) {
        return each.where == where && each.is_read() && !porf.contains(each) && each.may_read(graph[write]);
    };
    if (std::ranges::none_of(graph.events(), may_read_it)) return true;
    bool all = true;
    for (std::size_t i = std::max(first_revisitable(graph, write, porf), graph.unrevisitable_prefix); i < graph.size();
         ++i) {
        const auto read = static_cast<event_id>(i);
        const event& candidate = graph[read];
        if (!may_read_it(candidate)) continue;
        if (sink.is_over()) return all;
        if (candidate.read().repeated) {
            all = false;
            continue;
        }
        const bool waits = waits_without_event(candidate.read().form) &&
                           waits_on(candidate.read().form, graph[write].write().value, candidate.thread_id);
        if (waits && waiting_has_no_events) {
            revisited_.revisit_deleting_lock(graph, read, write, porf, tables_);
        } else {
            revisited_.revisit(graph, read, write, porf, tables_);
        }
        const auto last = static_cast<event_id>(revisited_.size() - 1);
        const coherence_position bound =
            std::max(revisited_.coherence_bound(where, views[write].hb, graph[write].bytes),
                     revisited_.coherence_bound(where, views[read].hb_before_acquire, candidate.bytes));
        coherent_placings(revisited_, last, revisited_.rf_of_rmw(last), bound, co_candidates_);
        for (const coherence_position co : co_candidates_) {
            const bool is_last = co == co_candidates_.back();
            if (!is_last) placed_ = revisited_;
            execution_graph& made = is_last ? revisited_ : placed_;
            made.insert_in_co(last, co);
            sink.emit(made);
            if (candidate.read().wakes) emit_wake_up(made, last, sink);
        }
    }
    return all;
}

}  // namespace ordeal::detail::graph
