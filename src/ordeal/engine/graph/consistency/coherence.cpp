// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/coherence.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::detail::graph {

void allowed_co(const execution_graph& graph, event_id write, event_id rf, std::uint16_t bound,
                std::vector<std::uint16_t>& result) {
    const location where = graph[write].where;
    const auto is_rmw = [&](const event& each) {
        return each.rmw && each.where == where && each.kind == event_kind::write && each.co != 0;
    };
    result.clear();
    if (graph[write].rmw) {
        const auto co = static_cast<std::uint16_t>(graph.co_of(rf) + 1);
        const auto has_it = [&](const event& each) { return is_rmw(each) && each.co == co; };
        if (co > bound && std::ranges::none_of(graph.events(), has_it)) result.push_back(co);
        return;
    }
    const std::size_t last = graph.co_size(where);
    for (std::size_t co = last; co > bound; --co) result.push_back(static_cast<std::uint16_t>(co));
    for (const event& each : graph.events()) {
        if (is_rmw(each) && each.co > bound) result[last - each.co] = 0;
    }
    std::erase(result, 0);
}

bool coherent(const execution_graph& graph, const views_table& views, bool whole) {
    std::vector<event_id> order;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = graph[id];
        if (!each.accesses_memory() || !views[i].done) continue;
        graph.coherence(each.where, order);
        // A read must not be older than what it already knew; a write must be after that, at a position of its own.
        if (each.kind == event_kind::read) {
            if (graph.co_of(each.rf) < graph.bound(each.where, views[i].before)) return false;
            continue;
        }
        view before = views[i].hb;
        --before[each.thread_id];
        if (each.co <= graph.bound(each.where, before) || order[each.co] != i) return false;
        if (!whole) continue;
        if (std::ranges::count(order, initial_write) != 1) return false;
        if (each.rmw && graph.rf_of_rmw(id) != order[each.co - std::size_t{1}]) return false;
    }
    return true;
}

}  // namespace ordeal::detail::graph
