// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/sc_and_tso.hpp"

namespace ordeal::detail::graph {

bool allowed_by_sc(const execution_graph& graph, const views_table& views, global_order& tables) {
    return tables.exists(graph, views, [](const event& /*which*/, const event_views& /*facts*/) { return true; });
}

namespace {

bool empties_buffer(const event& which, const event_views& views) {
    switch (which.kind) {
        case event_kind::read: return views.locked;
        case event_kind::write: return which.rmw || which.using_order == order::seq_cst;
        case event_kind::fence: return which.using_order == order::seq_cst;
        case event_kind::creation: return true;
        case event_kind::allocation: break;
    }
    return false;
}

}  // namespace

// Sequential consistency per location is coherence, which the search maintains.
bool allowed_by_tso(const execution_graph& graph, const views_table& views, global_order& tables) {
    return tables.exists(graph, views, &empties_buffer);
}

}  // namespace ordeal::detail::graph
