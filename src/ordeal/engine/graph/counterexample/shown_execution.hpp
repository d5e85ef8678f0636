// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <chrono>
#include <optional>

namespace ordeal::detail::graph {

/// Puts one execution into the result of a search: its steps, the violation, and the memory models that allow it.
class shown_execution {
public:
    shown_execution(const scenario& what, const search_options& options, execution_runner& runs,
                    std::chrono::steady_clock::time_point deadline, search_result& result)
        : what_(what), options_(options), runner_(runs), deadline_(deadline), result_(result) {}

    /// Shows the execution that a search found.
    void show(const counterexample& found);
    /// Shows the execution of a token.
    void replay(const choices& wanted);

private:
    void find_future_sources(execution_graph graph);
    ending run_traced(execution_graph& graph);
    void show_run(execution_graph& graph);
    std::optional<execution_graph> name_models(const execution_graph& violated);

    const scenario& what_;
    const search_options& options_;
    execution_runner& runner_;
    std::chrono::steady_clock::time_point deadline_;
    search_result& result_;
};

}  // namespace ordeal::detail::graph
