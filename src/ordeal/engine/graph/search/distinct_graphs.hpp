// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// A number for what the graph is: the same in whatever order its events were added.
[[nodiscard]] std::uint64_t graph_fingerprint(const execution_graph& graph) noexcept;

/// About how many of many graphs differ, in memory that does not grow (Whang, Vander-Zanden, Taylor, "A linear-time
/// probabilistic counting algorithm for database applications", TODS 1990). Closely up to some millions.
class distinct_graphs {
public:
    void add(const execution_graph& graph);
    [[nodiscard]] std::uint64_t count() const noexcept;

private:
    std::vector<std::uint64_t> bits_;  ///< one for each value of a part of the fingerprint; none before the first graph
    std::uint64_t set_ = 0;
};

}  // namespace ordeal::graph
