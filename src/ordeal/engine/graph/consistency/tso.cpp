// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/tso.hpp"

namespace ordeal::graph {

namespace {

bool empties_buffer(const event& which, const event_facts& facts) {
    switch (which.kind) {
        case event_kind::read: return facts.locked;
        case event_kind::write: return which.exclusive || which.using_order == order::seq_cst;
        case event_kind::fence: return which.using_order == order::seq_cst;
        case event_kind::creation: return true;
        case event_kind::allocation: break;
    }
    return false;
}

}  // namespace

// That each location for itself is sequentially consistent is coherence, which the search keeps.
bool allowed_by_tso(const execution_graph& graph, const facts_table& facts, global_order& tables) {
    return tables.exists(graph, facts, &empties_buffer);
}

}  // namespace ordeal::graph
