// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"

#include <string>
#include <vector>

namespace ordeal::graph {

/// Divides a search that has not begun. Every shard makes the same executions first, until there are enough parts, and takes
/// every n-th part; what was counted until then belongs to the first shard alone, and so does a search that was over by then, or
/// had met a violation. `mine` has the part of this shard then, counts included.
///
/// Returns what stands for the division, the same in every shard; empty when time was over before.
[[nodiscard]] std::string divide(explorer& mine, const search_options& how, explorer::clock::time_point until);

/// What shards counted, together.
struct merged_shards {
    tally counted;
    std::vector<unsigned> unfinished;  ///< from 1
    std::string symmetry_groups;       ///< symmetry_groups::text()
};

/// Adds up what each shard reported, in their order; an empty text is a shard that reported nothing. Throws
/// std::runtime_error when they are no parts of one search.
[[nodiscard]] merged_shards add_up(const std::vector<std::string>& parts);

/// Of the verdict of one shard, and of a search with a shard that was cut short.
[[nodiscard]] limit limit_of_shard(unsigned shard, unsigned shards);
[[nodiscard]] limit limit_of_unfinished_shard(unsigned shard, std::size_t shards);

}  // namespace ordeal::graph
