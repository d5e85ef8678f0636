// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/events/event_facts.hpp"
#include "ordeal/engine/graph/events/execution_graph.hpp"
#include "ordeal/engine/graph/events/graph_sink.hpp"

namespace ordeal::graph {

/// Backward revisits (Kokologiannakis et al., "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022):
/// emits, for every read that may read from the new write `write` though it was added before, the graph in which it
/// does.
bool emit_revisits(const execution_graph& graph, const facts_table& facts, event_id write, graph_sink& sink);

}  // namespace ordeal::graph
