// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/coherence.hpp"

#include <algorithm>
#include <cstddef>

namespace ordeal::graph {

void allowed_places(const execution_graph& graph, event_id write, event_id source, std::uint16_t bound,
                    std::vector<std::uint16_t>& result) {
    const location where = graph[write].where;
    const auto is_exclusive = [&](const event& each) {
        return each.exclusive && each.where == where && each.kind == event_kind::write && each.place != 0;
    };
    result.clear();
    if (graph[write].exclusive) {
        const auto place = static_cast<std::uint16_t>(graph.place_of(source) + 1);
        const auto has_it = [&](const event& each) { return is_exclusive(each) && each.place == place; };
        if (place > bound && std::ranges::none_of(graph.events(), has_it)) result.push_back(place);
        return;
    }
    const std::size_t last = graph.places(where);
    for (std::size_t place = last; place > bound; --place) result.push_back(static_cast<std::uint16_t>(place));
    for (const event& each : graph.events()) {
        if (is_exclusive(each) && each.place > bound) result[last - each.place] = 0;
    }
    std::erase(result, 0);
}

bool coherent(const execution_graph& graph, const facts_table& facts, bool whole) {
    std::vector<event_id> order;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = graph[id];
        if (!each.accesses_memory() || !facts[i].done) continue;
        graph.coherence(each.where, order);
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
