// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/event_facts.hpp"
#include "ordeal/engine/graph/execution_graph.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace ordeal::graph {

/// Receives graphs that are still to be explored.
class graph_sink {
public:
    graph_sink() = default;
    graph_sink(const graph_sink&) = delete;
    graph_sink& operator=(const graph_sink&) = delete;
    virtual ~graph_sink() = default;

    virtual void emit(const execution_graph& alternative) = 0;
    /// Called when all alternatives to a new event were emitted: whether the run goes on with it.
    virtual bool go_on() { return true; }
};

/// Backward revisits (Kokologiannakis et al., "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022):
/// emits, for every read that may read from the new write `write` though it was added before, the graph in which it
/// does.
bool emit_revisits(const execution_graph& graph, const facts_table& facts, event_id write, graph_sink& sink);

}  // namespace ordeal::graph
