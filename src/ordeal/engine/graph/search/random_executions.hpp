// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/search/samplers.hpp"

#include <memory>

namespace ordeal::detail::graph {

/// Random executions, one after the other: the same ones for the same seed.
class random_runs {
public:
    random_runs(execution_runner& runs, const search_strategy& how, sampler::clock::time_point deadline)
        : runner_(runs), sampler_(make_sampler(how, deadline)) {}

    /// Runs one more execution and adds it to `counted`, unless is_over() before it ends. Whether it is violated; the
    /// first violation is shrunk.
    bool run_one(tally& counted);
    /// Whether the deadline has come, or a stop was asked for.
    [[nodiscard]] bool is_over() const { return sampler_->must_stop(); }

    /// Of the last run.
    [[nodiscard]] const execution_graph& graph() const noexcept { return graph_; }

private:
    execution_runner& runner_;
    std::unique_ptr<sampler> sampler_;
    execution_graph graph_;
};

}  // namespace ordeal::detail::graph
