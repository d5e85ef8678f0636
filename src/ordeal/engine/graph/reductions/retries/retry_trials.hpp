// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/runner/graph_runner.hpp"
#include "ordeal/engine/graph/reductions/retries/retries.hpp"

namespace ordeal::detail::graph {

/// Answers what a run asks about a retry: whether its thread stands where it would stand without the iteration. A graph
/// is run again after each question that the run is left for and nobody has answered yet.
class retry_trials final : public graph_runner {
public:
    retry_trials(execution_runner& runner, retries& asked) : graph_runner(runner), retries_(asked) {}

    ending run(execution_graph& graph, strategy& strategy) override;

private:
    [[nodiscard]] bool is_redundant(const execution_graph& graph, const retry_question& asked);
    [[nodiscard]] bool without_retry(event_id earlier, event_id read);
    [[nodiscard]] bool with_same_write(event_id read);
    [[nodiscard]] bool comes_to_no_more(event_id earlier, event_id read, retry_trial& other);
    [[nodiscard]] bool comes_there(execution_graph& graph, retry_trial& trial);

    retries& retries_;
    // Of the question.
    execution_graph past_;   ///< of the read
    execution_graph other_;  ///< which would come to the same
    execution_graph again_;
    execution_graph::revisit_tables tables_;
};

}  // namespace ordeal::detail::graph
