// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/memory/revisits.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/events/conditions.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::graph {

namespace {

// Whether a search that always goes on with the coherence-latest write would have made `id` as it is, had it known only
// the events up to `id` and those in `porf`. Then the graph without it leads to it, and no other graph needs to. A lock that
// came before one which was there first, and has no event any more, was not: it would be read by that older one.
bool added_maximally(const execution_graph& graph, event_id id, const view& porf) {
    const event& candidate = graph[id];
    if (candidate.spurious || candidate.overtakes) return false;
    if (!candidate.accesses_memory()) return !candidate.takes_freed_block();
    if (candidate.variant != 0) return false;
    const auto previous = [&](event_id other) {
        return other <= id || porf.contains(graph[other].thread_id, graph[other].index);
    };
    const bool is_write = candidate.kind == event_kind::write;
    const event_id rf = is_write ? id : candidate.rf;
    if (rf != initial_write && !previous(rf)) return false;
    const std::uint16_t co = graph.co_of(rf);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto other = static_cast<event_id>(i);
        const event& each = graph[other];
        if (each.where != candidate.where || !previous(other)) continue;
        if (each.kind == event_kind::write ? each.co > co : is_write && each.rf == id) return false;
    }
    return true;
}

bool may_revisit(const execution_graph& graph, event_id read, event_id write, const view& porf) {
    if (!added_maximally(graph, read, porf)) return false;
    for (std::size_t i = read + std::size_t{1}; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        if (id == write || porf.contains(graph[id].thread_id, graph[id].index)) continue;
        if (!added_maximally(graph, id, porf)) return false;
    }
    return true;
}

// A wait on a condition variable that the write does not end may also end for no reason.
void emit_wake_up(execution_graph& revisited, event_id write, graph_sink& sink) {
    for (std::size_t i = 0; i < revisited.size(); ++i) {
        event& read = revisited[static_cast<event_id>(i)];
        if (!read.wakes || read.rf != write || !read.revisited) continue;
        if ((revisited[write].value & woken_bit(read.thread_id)) != 0) continue;
        read.spurious = true;
        sink.emit(revisited);
        read.spurious = false;
    }
}

}  // namespace

bool revisits::emit(const execution_graph& graph, const views_table& views, event_id write, bool waiting_has_events,
                    graph_sink& sink) {
    const location where = graph[write].where;
    const view& porf = views[write].porf;
    bool all = true;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto read = static_cast<event_id>(i);
        const event& candidate = graph[read];
        if (candidate.where != where || candidate.kind != event_kind::read) continue;
        if (porf.contains(candidate.thread_id, candidate.index) || !may_revisit(graph, read, write, porf)) continue;
        if (candidate.repeated) {
            all = false;
            continue;
        }
        const bool waits =
            waits_without_event(candidate.form) && waits_on(candidate.form, graph[write].value, candidate.thread_id);
        if (waits && !waiting_has_events) {
            revisited_.overtake(graph, read, write, porf, tables_);
        } else {
            revisited_.revisit(graph, read, write, porf, tables_);
        }
        const auto last = static_cast<event_id>(revisited_.size() - 1);
        const std::uint16_t bound =
            std::max(revisited_.bound(where, views[write].hb), revisited_.bound(where, views[read].before));
        allowed_co(revisited_, last, revisited_.rf_of_rmw(last), bound, co_candidates_);
        for (const std::uint16_t co : co_candidates_) {
            placed_ = revisited_;
            placed_.put(last, co);
            sink.emit(placed_);
            emit_wake_up(placed_, last, sink);
        }
    }
    return all;
}

}  // namespace ordeal::graph
