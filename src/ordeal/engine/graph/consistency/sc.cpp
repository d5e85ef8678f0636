// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/sc.hpp"

namespace ordeal::graph {

bool allowed_by_sc(const execution_graph& graph, const views_table& views, global_order& tables) {
    return tables.exists(graph, views, [](const event& /*which*/, const event_views& /*facts*/) { return true; });
}

}  // namespace ordeal::graph
