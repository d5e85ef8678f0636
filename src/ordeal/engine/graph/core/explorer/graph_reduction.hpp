// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail::graph {

/// Leaves out executions for which another execution stands, and the graphs that lead only to those. This base leaves
/// out nothing.
class graph_reduction {
public:
    /// export_state(), if there is nothing to learn.
    static constexpr std::string_view nothing = "-";

    explicit graph_reduction(execution_runner& runner) : runner_(runner) {}
    graph_reduction(const graph_reduction&) = delete;
    graph_reduction& operator=(const graph_reduction&) = delete;
    virtual ~graph_reduction() = default;

    /// Runs the graph. Of the new graphs, `strategy` gets those that are kept. An execution for which another one
    /// stands is abandoned.
    virtual ending run(execution_graph& graph, strategy& strategy) {
        return runner_.run_with_reductions(graph, strategy);
    }
    /// Runs the graph of an execution again, in the way in which run() ran it.
    virtual ending run_again(execution_graph& graph, strategy& strategy) { return runner_.run(graph, strategy); }
    /// Checks, after a complete execution, that it may stand for others. Violated: one of them is, and `graph` becomes
    /// its graph. Refused: they differ.
    virtual ending check(execution_graph& /*graph*/) { return ending::complete; }
    /// After run() or check(): why what was learned about the code is wrong, so that the search has to begin again
    /// without it. Empty: it is not.
    [[nodiscard]] const std::string& refuted() const noexcept { return refuted_; }

    /// Whether some executions may stand for others.
    [[nodiscard]] virtual bool leaves_out() const noexcept { return false; }
    virtual void add_limits(std::vector<limit>& /*to*/) const {}
    /// What the first run has learned about the code, as text for other processes and for files. Empty: there was no
    /// run.
    [[nodiscard]] virtual std::string export_state() { return std::string(nothing); }
    /// Takes what another process has learned. Throws std::runtime_error if the text cannot be read.
    virtual void import_state(std::string_view /*learned*/) {}

protected:
    execution_runner& runner_;
    std::string refuted_;
};

/// all_reductions.cpp decides which.
[[nodiscard]] std::unique_ptr<graph_reduction> make_graph_reduction(const scenario& what, const search_options& options,
                                                                    execution_runner& runner);

}  // namespace ordeal::detail::graph
