// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/coherence.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace ordeal::detail::graph {

namespace {

// coherent_placings(), given the writes in coherence order.
void coherent_placings_in(const execution_graph& graph, std::span<const event_id> order, event_id write, event_id rf,
                          coherence_position bound, std::vector<coherence_position>& result) {
    const auto is_free = [&](std::size_t co) { return co == order.size() || !graph[order[co]].is_rmw(); };
    result.clear();
    if (graph[write].is_rmw()) {
        const auto co = static_cast<coherence_position>(graph.co_of(rf) + 1);
        if (co > bound && is_free(co)) result.push_back(co);
        return;
    }
    for (std::size_t co = order.size(); co > bound; --co) {
        if (is_free(co)) result.push_back(static_cast<coherence_position>(co));
    }
}

}  // namespace

void coherent_placings(const execution_graph& graph, event_id write, event_id rf, coherence_position bound,
                       std::vector<coherence_position>& result) {
    const location where = graph[write].where;
    if (graph.is_indexed()) [[unlikely]]
        return coherent_placings_in(graph, graph.indexed_coherence(where), write, rf, bound, result);
    const auto is_rmw = [&](const event& each) { return each.is_rmw() && each.where == where && each.write().co != 0; };
    result.clear();
    if (graph[write].is_rmw()) {
        const auto co = static_cast<coherence_position>(graph.co_of(rf) + 1);
        const auto has_it = [&](const event& each) { return is_rmw(each) && each.write().co == co; };
        if (co > bound && std::ranges::none_of(graph.events(), has_it)) result.push_back(co);
        return;
    }
    const std::size_t last = graph.co_size(where);
    for (std::size_t co = last; co > bound; --co) result.push_back(static_cast<coherence_position>(co));
    for (const event& each : graph.events()) {
        if (is_rmw(each) && each.write().co > bound) result[last - each.write().co] = 0;
    }
    std::erase(result, 0);
}

bool coherent(const execution_graph& graph, const views_table& views, bool whole) {
    execution_graph indexed = graph;
    indexed.index_all();
    std::unordered_map<location, std::vector<event_id>> orders;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& each = graph[id];
        if (!each.accesses_memory() || !views[i].done) continue;
        // A read must not be older than what it already knew; a write must be after that, at a position of its own.
        if (each.is_read()) {
            // Of several bytes, what it acquires with one may know of a later write to another.
            const view& known = each.bytes.is_mixed() ? views[i].hb : views[i].hb_before_acquire;
            if (graph.co_of(each.read().rf) < indexed.coherence_bound(each.where, known, each.bytes)) return false;
            continue;
        }
        std::vector<event_id>& order = orders[each.where];
        if (order.empty()) {
            graph.coherence(each.where, order);
            // Without gaps.
            if (whole && std::ranges::count(order, initial_write) != 1) return false;
        }
        view before = views[i].hb;
        --before[each.thread_id];
        if (each.write().co <= indexed.coherence_bound(each.where, before, each.bytes) || order[each.write().co] != i)
            return false;
        if (whole && each.is_rmw() && indexed.rf_of_rmw(id) != order[each.write().co - std::size_t{1}]) return false;
    }
    return true;
}

}  // namespace ordeal::detail::graph
