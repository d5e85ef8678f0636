// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/reductions/retries/retries.hpp"

namespace ordeal::detail::graph {

/// Answers what a run was left for, by probe runs: whether the thread of a retry stands where it would stand without
/// the iteration.
class retry_probes {
public:
    retry_probes(execution_runner& runner, retries& asking) : runner_(runner), retries_(asking) {}

    [[nodiscard]] bool is_redundant(const execution_graph& graph, const retry_question& asked);

private:
    [[nodiscard]] bool without_retry(event_id earlier, event_id read);
    [[nodiscard]] bool with_same_write(event_id read);
    /// Whether all that can come of the retry also comes of `shorter_`: `earlier` is its last read.
    [[nodiscard]] bool is_covered(event_id earlier, event_id read, retry_probe& shorter);
    /// Returns whether the thread reached its operation.
    [[nodiscard]] bool run_probe(execution_graph& graph, retry_probe& probe);

    execution_runner& runner_;
    retries& retries_;
    // Of the question.
    execution_graph prefix_;   ///< of the read, which is included
    execution_graph shorter_;  ///< the execution without the retry
    execution_graph retried_;  ///< a copy of `prefix_` that is run
    execution_graph::renumbering tables_;
};

}  // namespace ordeal::detail::graph
