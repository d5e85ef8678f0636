// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/certifier.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace ordeal::detail::graph {

/// The part of a search that is for load buffering: it explores the graphs with future reads whose promises are
/// certified, after all executions of RC11 (revisits/future_reads.hpp).
class future_read_search {
public:
    explicit future_read_search(execution_runner& runner) : runner_(runner), certifier_(runner) {}

    /// Certifies the promises that were met so far, and keeps the graphs that follow.
    void certify();
    /// The same, if there are so many that they take much memory.
    void certify_if_many();
    /// All executions of RC11 were explored: from now on emit_next() has graphs, these first. Throws std::runtime_error
    /// when one of them cannot be of this program.
    void begin(std::vector<future_read_graph> graphs);
    /// Returns whether there was one.
    [[nodiscard]] bool emit_next(strategy& into);
    /// Runs a graph that emit_next() has given, or that a revisit made of one. An execution that was counted before is
    /// abandoned.
    [[nodiscard]] ending run(execution_graph& graph, strategy& strategy);
    /// Those that were not begun.
    [[nodiscard]] std::vector<future_read_graph> take_graphs();

private:
    execution_runner& runner_;
    certifier certifier_;
    std::vector<future_read_graph> graphs_;  ///< that were not begun
    bool has_begun_ = false;
    std::unordered_set<std::uint64_t> begun_;       ///< hashes of graphs
    std::unordered_set<std::uint64_t> executions_;  ///< hashes of those that were counted
    std::vector<lb_site_names> patterns_;           ///< of the graph that was begun last
};

}  // namespace ordeal::detail::graph
