// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// A hash of the graph that does not depend on the order in which its events were added.
[[nodiscard]] std::uint64_t graph_fingerprint(const execution_graph& graph) noexcept;

/// Estimates the number of distinct graphs in constant memory (Whang, Vander-Zanden, Taylor, "A linear-time
/// probabilistic counting algorithm for database applications", TODS 1990). Accurate up to some millions.
class distinct_graphs {
public:
    void add(const execution_graph& graph);
    [[nodiscard]] std::uint64_t count() const noexcept;

private:
    std::vector<std::uint64_t> bits_;  ///< indexed by a part of the fingerprint; empty before the first graph
    std::uint64_t set_ = 0;
};

}  // namespace ordeal::detail::graph
