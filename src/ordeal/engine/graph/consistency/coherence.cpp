// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/coherence.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::graph {

void allowed_places(const execution_graph& graph, event_id write, event_id source, std::uint16_t bound,
                    std::vector<std::uint16_t>& result) {
    result.clear();
    const std::vector<event_id>& order = graph.coherence(graph[write].where);
    const auto free = [&](std::size_t place) { return place == order.size() || !graph[order[place]].exclusive; };
    if (graph[write].exclusive) {
        const auto place = static_cast<std::uint16_t>(graph.place_of(source) + 1);
        if (place > bound && free(place)) result.push_back(place);
        return;
    }
    for (std::size_t place = order.size(); place > bound; --place) {
        if (free(place)) result.push_back(static_cast<std::uint16_t>(place));
    }
}

bool coherent(const execution_graph& graph, const facts_table& facts, bool whole) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = graph[id];
        if (!each.accesses_memory() || !facts[i].done) continue;
        const std::vector<event_id>& order = graph.coherence(each.where);
        // A read not before what it knew already; a write after that, and in a place of its own.
        if (each.kind == event_kind::read) {
            if (graph.place_of(each.source) < graph.bound(each.where, facts[i].before)) return false;
            continue;
        }
        view before = facts[i].happened;
        --before[each.number];
        if (each.place <= graph.bound(each.where, before) || order[each.place] != i) return false;
        if (!whole) continue;
        if (std::ranges::count(order, initial_write) != 1) return false;
        if (each.exclusive && graph.source_of_exclusive(id) != order[each.place - std::size_t{1}]) return false;
    }
    return true;
}

}  // namespace ordeal::graph
