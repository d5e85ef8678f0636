// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

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

}  // namespace ordeal::graph
