// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/strategy.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

namespace ordeal::detail::graph {

/// Chooses at random; with a depth, threads have random priorities instead, which are lowered at `depth - 1` events
/// (PCT: Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
class random_choices final : public strategy {
public:
    using clock = std::chrono::steady_clock;

    /// Depth 0: at each event every thread is equally likely.
    random_choices(std::uint64_t seed, unsigned depth, clock::time_point deadline)
        : strategy(kind::samples), random_(seed), depth_(depth), deadline_(deadline) {}

    /// Before each execution.
    void begin(int threads);

    void emit(const execution_graph& /*alternative*/) override {}

    [[nodiscard]] bool is_over() override {
        return over_([this] { return nobody_goes_on(); });
    }
    /// The same, at this moment.
    [[nodiscard]] bool nobody_goes_on() const;

    std::size_t choose(std::size_t count) override;
    int choose_thread(std::span<const int> thread_ids) override;

private:
    [[nodiscard]] std::uint64_t below(std::uint64_t bound);

    std::mt19937_64 random_;
    unsigned depth_;
    clock::time_point deadline_;
    rare_question over_;
    std::array<unsigned, max_thread_ids> priorities_{};
    std::vector<std::uint64_t> changes_;  ///< the events at which priorities are lowered
    std::uint64_t event_ = 0;
    std::uint64_t longest_ = 1;  ///< events of the longest execution so far
};

/// Random executions, one after the other: the same ones for the same seed.
class random_runs {
public:
    /// Depth 0: no priorities, see random_choices.
    random_runs(const scenario& what, execution_runner& runs, std::uint64_t seed, unsigned depth,
                random_choices::clock::time_point deadline);

    /// Runs one more execution and adds it to `counted`, unless is_over() before it ends. Returns its violation, or
    /// null.
    const violation* run_one(tally& counted);
    /// Whether the deadline has come, or a stop was asked for.
    [[nodiscard]] bool is_over() const { return choices_.nobody_goes_on(); }

    /// Of the last run.
    [[nodiscard]] const execution_graph& graph() const noexcept { return graph_; }

private:
    execution_runner& runner_;
    int threads_;
    random_choices choices_;
    execution_graph graph_;
};

}  // namespace ordeal::detail::graph
