// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/strategy.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace ordeal::graph {

/// Chooses at random; with a depth, threads go by random priorities instead, of which `depth - 1` are lowered on the way
/// (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
class random_choices final : public strategy {
public:
    /// A depth of 0: every thread is as likely at each event.
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
    std::vector<std::uint64_t> changes_;  ///< at which event each of them is lowered
    std::uint64_t event_ = 0;
    std::uint64_t longest_ = 1;  ///< events of the longest execution so far
};

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
