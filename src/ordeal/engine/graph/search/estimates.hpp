// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

namespace ordeal::detail::graph {

/// The number of executions of a search, estimated from random paths in the tree of its choices (Knuth, "Estimating the
/// efficiency of backtrack programs", 1975): the product of the branching factors along a path has the number of leaves
/// as its expected value.
class size_estimate {
public:
    /// Follows more paths, while there is time.
    void probe(execution_runner& runs, unsigned ways,
               std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

    [[nodiscard]] double mean() const noexcept { return ways_ == 0 ? 0 : sum_ / static_cast<double>(ways_); }
    /// Standard error of the mean.
    [[nodiscard]] double error() const noexcept;

private:
    std::mt19937_64 random_{1};  // a fixed seed makes estimates repeatable
    std::uint64_t ways_ = 0;
    double sum_ = 0;
    double squares_ = 0;
};

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
