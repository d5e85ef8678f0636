// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/global_order.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

namespace ordeal::graph {

/// Sequential consistency (Lamport, "How to Make a Multiprocessor Computer That Correctly Executes Multiprocess Programs",
/// 1979): all events have one order, which keeps program order. The orders of the operations make no difference.
[[nodiscard]] bool allowed_by_sc(const execution_graph& graph, const views_table& views, global_order& tables);

}  // namespace ordeal::graph
