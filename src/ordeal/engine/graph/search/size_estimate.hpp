// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <chrono>
#include <cstdint>
#include <random>

namespace ordeal::graph {

/// How many executions a search has, estimated from random ways down the tree of its choices (Knuth, "Estimating the
/// efficiency of backtrack programs", 1975): the product of the numbers of alternatives along one is, on average over
/// all ways, the number of leaves.
class size_estimate {
public:
    /// Follows more ways, if there is time.
    void probe(execution_runner& runs, unsigned ways,
               std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

    [[nodiscard]] double mean() const noexcept { return ways_ == 0 ? 0 : sum_ / static_cast<double>(ways_); }
    /// Standard error of the mean.
    [[nodiscard]] double error() const noexcept;

private:
    std::mt19937_64 random_{1};  // any seed will do, and the same one each time is repeatable
    std::uint64_t ways_ = 0;
    double sum_ = 0;
    double squares_ = 0;
};

}  // namespace ordeal::graph
