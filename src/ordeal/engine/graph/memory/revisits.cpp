// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/memory/revisits.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/events/conditions.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::graph {

namespace {

// Whether a search that always goes on with the coherence-latest write would have made `id` as it is, had it known only
// the events up to `id` and those in `prefix`. Then the graph without it leads to it, and no other graph needs to.
bool added_maximally(const execution_graph& graph, event_id id, const view& prefix) {
    const event& candidate = graph[id];
    if (candidate.spurious) return false;
    if (!candidate.accesses_memory()) return !candidate.takes_freed_block();
    if (candidate.variant != 0) return false;
    const auto previous = [&](event_id other) {
        return other <= id || prefix.contains(graph[other].number, graph[other].index);
    };
    const bool is_write = candidate.kind == event_kind::write;
    const event_id source = is_write ? id : candidate.source;
    if (source != initial_write && !previous(source)) return false;
    const std::uint16_t place = graph.place_of(source);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto other = static_cast<event_id>(i);
        const event& each = graph[other];
        if (each.where != candidate.where || !previous(other)) continue;
        if (each.kind == event_kind::write ? each.place > place : is_write && each.source == id) return false;
    }
    return true;
}

bool may_revisit(const execution_graph& graph, event_id read, event_id write, const view& prefix) {
    if (!added_maximally(graph, read, prefix)) return false;
    for (std::size_t i = read + std::size_t{1}; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        if (id == write || prefix.contains(graph[id].number, graph[id].index)) continue;
        if (!added_maximally(graph, id, prefix)) return false;
    }
    return true;
}

// A wait on a condition variable that the write does not end may also end for no reason.
void emit_wake_up(execution_graph& revisited, event_id write, graph_sink& sink) {
    for (std::size_t i = 0; i < revisited.size(); ++i) {
        event& read = revisited[static_cast<event_id>(i)];
        if (!read.wakes || read.source != write || !read.revisited) continue;
        if ((revisited[write].value & woken_bit(read.number)) != 0) continue;
        read.spurious = true;
        sink.emit(revisited);
        read.spurious = false;
    }
}

}  // namespace

bool revisits::emit(const execution_graph& graph, const facts_table& facts, event_id write, graph_sink& sink) {
    const location where = graph[write].where;
    const view& prefix = facts[write].prefix;
    bool all = true;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto read = static_cast<event_id>(i);
        const event& candidate = graph[read];
        if (candidate.where != where || candidate.kind != event_kind::read) continue;
        if (prefix.contains(candidate.number, candidate.index) || !may_revisit(graph, read, write, prefix)) continue;
        if (candidate.repeated) {
            all = false;
            continue;
        }
        revisited_.revisit(graph, read, write, prefix, tables_);
        const auto last = static_cast<event_id>(revisited_.size() - 1);
        const std::uint16_t bound =
            std::max(revisited_.bound(where, facts[write].happened), revisited_.bound(where, facts[read].before));
        allowed_places(revisited_, last, revisited_.source_of_exclusive(last), bound, places_);
        for (const std::uint16_t place : places_) {
            placed_ = revisited_;
            placed_.put(last, place);
            sink.emit(placed_);
            emit_wake_up(placed_, last, sink);
        }
    }
    return all;
}

}  // namespace ordeal::graph
