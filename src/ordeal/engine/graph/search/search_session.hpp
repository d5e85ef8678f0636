// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"

#include <vector>

namespace ordeal::detail::graph {

/// Makes one search of the graph engine.
[[nodiscard]] search_result search_graphs(const scenario& what, const search_options& options,
                                          search_progress& progress);

/// The state of a finished search.
struct ended_search {
    const scenario& what;
    const search_options& options;
    const explorer& explored;
    const search_progress& progress;
    const tally& total;
    const std::vector<unsigned>& unfinished_shards;  ///< from 1
    bool cut_short = false;
    bool time_is_over = false;
};

/// The limits that its verdict rests on. `result`: complete but for the limits and the verdict.
[[nodiscard]] std::vector<limit> limits_of(const ended_search& of, const search_result& result);

}  // namespace ordeal::detail::graph
