// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"

#include <string>
#include <vector>

namespace ordeal::detail::graph {

/// Divides a search that has not begun. Every shard explores the same executions first, until there are enough parts,
/// and takes every n-th part. What was counted until then belongs to the first shard alone, and so does a search that
/// is finished or violated by then. Afterwards `mine` has the part of this shard, counts included.
///
/// Returns an identifier of the division, the same in every shard; empty if time ran out first.
[[nodiscard]] std::string divide(explorer& mine, const search_options& options, explorer::clock::time_point until);

/// The combined counts of shards.
struct merged_shards {
    tally counted;
    std::vector<unsigned> unfinished;  ///< from 1
    std::string learned;               ///< graph_reduction::export_state()
};

/// Adds up the reports of the shards, in their order; an empty text is a shard without a report. Throws
/// std::runtime_error if they are not parts of one search.
[[nodiscard]] merged_shards add_up(const std::vector<std::string>& parts);

/// The limit of a single shard's verdict, and that of a search with a shard that was cut short.
[[nodiscard]] limit limit_of_shard(unsigned shard, unsigned shards);
[[nodiscard]] limit limit_of_unfinished_shard(unsigned shard, std::size_t shards);

}  // namespace ordeal::detail::graph
