// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

namespace ordeal::graph {

/// Answers what a run asks about a retry: whether its thread stands where it would stand, had it not made the turn.
class retry_trials {
public:
    explicit retry_trials(execution_runner& runner) : runner_(runner) {}

    /// Runs the graph, and again after each question that the run is left for and nobody has answered yet. `how` may have been
    /// told of alternatives to events of the graph by any of the runs, and of each once.
    ending run(execution_graph& graph, strategy& how);

private:
    void enable(bool whether) noexcept;
    [[nodiscard]] bool is_redundant(const execution_graph& graph, const retry_question& asked);
    [[nodiscard]] bool without_retry(event_id earlier, event_id read);
    [[nodiscard]] bool with_same_write(event_id read);
    [[nodiscard]] bool comes_to_no_more(event_id earlier, event_id read, retry_trial& other);
    [[nodiscard]] bool comes_there(execution_graph& graph, retry_trial& trial);

    execution_runner& runner_;
    // Of the question.
    execution_graph past_;   ///< of the read
    execution_graph other_;  ///< which would come to the same
    execution_graph again_;
    execution_graph::revisit_tables tables_;
};

}  // namespace ordeal::graph
