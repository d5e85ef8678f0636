// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/strategy.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace ordeal::detail::graph {

/// Chooses at random; with a depth, threads have random priorities instead, which are lowered at `depth - 1` events
/// (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
class random_choices final : public strategy {
public:
    /// Depth 0: at each event every thread is equally likely.
    random_choices(std::uint64_t seed, unsigned depth) : strategy(kind::samples), random_(seed), depth_(depth) {}

    /// Before each execution.
    void begin(int threads);

    void emit(const execution_graph& /*alternative*/) override {}

    std::size_t choose(std::size_t count) override;
    int choose_thread(std::span<const int> thread_ids) override;

private:
    [[nodiscard]] std::uint64_t below(std::uint64_t bound);

    std::mt19937_64 random_;
    unsigned depth_;
    std::array<unsigned, max_thread_ids> priorities_{};
    std::vector<std::uint64_t> changes_;  ///< the events at which priorities are lowered
    std::uint64_t event_ = 0;
    std::uint64_t longest_ = 1;  ///< events of the longest execution so far
};

/// Random executions, one after the other: the same ones for the same seed.
class random_runs {
public:
    /// Depth 0: no priorities, see random_choices.
    random_runs(const scenario& what, execution_runner& runs, std::uint64_t seed, unsigned depth);

    /// Runs one more execution and adds it to `counted`. Returns its violation, or null.
    const violation* run_one(tally& counted);

    /// Of the last run.
    [[nodiscard]] const execution_graph& graph() const noexcept { return graph_; }

private:
    execution_runner& runner_;
    int threads_;
    random_choices choices_;
    execution_graph graph_;
};

}  // namespace ordeal::detail::graph
