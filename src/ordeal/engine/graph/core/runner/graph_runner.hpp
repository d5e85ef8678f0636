// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <memory>

namespace ordeal::detail::graph {

/// Runs graphs for a search, with what its reductions leave out.
class graph_runner {
public:
    explicit graph_runner(execution_runner& runner) : runner_(runner) {}
    graph_runner(const graph_runner&) = delete;
    graph_runner& operator=(const graph_runner&) = delete;
    virtual ~graph_runner() = default;

    /// Runs the graph, as often as a reduction wants. `strategy` may have been told of revisits of events of the
    /// graph by any of the runs, and of each once.
    virtual ending run(execution_graph& graph, strategy& strategy) {
        const reduction_list& reductions = runner_.interpreter().reductions;
        reductions.enable(true);
        const ending end = runner_.run(graph, strategy);
        reductions.enable(false);
        return end;
    }

protected:
    execution_runner& runner_;
};

/// all_reductions.cpp decides which.
[[nodiscard]] std::unique_ptr<graph_runner> make_graph_runner(execution_runner& runner);

}  // namespace ordeal::detail::graph
