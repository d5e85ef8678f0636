// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/search/random_choices.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <cstdint>

namespace ordeal::graph {

/// Executions at random, one after the other: the same ones for the same seed.
class random_runs {
public:
    /// A depth of 0: no priorities, see random_choices.
    random_runs(const scenario& what, execution_runner& runs, std::uint64_t seed, unsigned depth);

    /// Makes one more, which `counted` then has. Returns the violation of it, or null.
    const violation* run_one(tally& counted);

    /// Of the last run.
    [[nodiscard]] const execution_graph& graph() const noexcept { return graph_; }

private:
    execution_runner& runner_;
    int threads_;
    random_choices choices_;
    execution_graph graph_;
};

}  // namespace ordeal::graph
