// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/explorer/execution_statistics.hpp"
#include "ordeal/engine/graph/core/explorer/future_read_search.hpp"
#include "ordeal/engine/graph/core/explorer/graph_reduction.hpp"
#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/core/runner/run_allowance.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ordeal::detail::graph {

/// The number of operations after which an execution is not followed further.
[[nodiscard]] unsigned length_of(const search_options& options, const scenario& what) noexcept;

/// One process's part of a systematic search: graphs to explore, and what came of those that were.
class explorer {
public:
    using clock = std::chrono::steady_clock;

    explorer(const scenario& what, const search_options& options, search_progress& progress);
    ~explorer();
    explorer(const explorer&) = delete;
    explorer& operator=(const explorer&) = delete;

    /// The one that this process has, for signal handlers: there is one at a time. Null: none.
    [[nodiscard]] static explorer* of_this_process() noexcept;

    /// Goes on until nothing is left, enough was found, or a limit is reached. A run that takes longer than until then,
    /// and than `patience` more, is left where it is, and resumed later.
    void explore(std::uint64_t more_runs, clock::time_point until, clock::duration patience = {});

    /// Explores the oldest graphs, which have the largest parts below them, until so many parts are left or another
    /// limit is reached.
    /// The order of what is left then depends on the scenario alone.
    void divide(std::size_t parts, std::uint64_t more_runs, clock::time_point until);

    /// Whether the search has what it wants: nothing is left, or a violation that is simple enough.
    [[nodiscard]] bool done() const noexcept { return work_.empty() || enough_; }

    /// Adds a graph that another process left, or that a file has. Throws std::runtime_error when it cannot be one of
    /// this program.
    void import_graph(execution_graph& graph);

    /// The reduction that leaves out whole graphs.
    [[nodiscard]] graph_reduction& reduction_of_graphs() noexcept { return *graph_reduction_; }
    [[nodiscard]] const graph_reduction& reduction_of_graphs() const noexcept { return *graph_reduction_; }
    [[nodiscard]] work_stack& work() noexcept { return work_; }
    [[nodiscard]] execution_runner& runner() noexcept { return runner_; }
    [[nodiscard]] std::uint64_t runs() const noexcept { return counted_.runs; }
    [[nodiscard]] std::uint64_t executions() const noexcept { return counted_.executions; }
    [[nodiscard]] bool found() const noexcept { return counted_.found.has_value(); }

    /// Goes on with these graphs and the executions that follow from them, once all of RC11 were explored.
    void explore_future_reads(std::vector<future_read_graph> graphs);

    /// Of a worker: the process that receives its counts reports the progress of all.
    void stop_reporting() noexcept { progress_ = &unseen_; }

    /// What this process counted since it was last asked.
    [[nodiscard]] tally take_tally();
    /// Forgets what this process counted since it was last asked, but not that the search has to begin again.
    void drop_counts();

private:
    void run_one();
    bool begin_future_read_graph();
    void keep_for_repetition();
    void repeat();
    void repeat(const execution_graph& kept);
    bool count(ending ended);
    void check();
    [[nodiscard]] bool refuted();
    void note_violation();
    void note_pairs();
    [[nodiscard]] bool beyond_memory(clock::time_point now);
    [[nodiscard]] bool bounded() const noexcept { return options_.strategy.mode == search_mode::preemptions; }
    [[nodiscard]] unsigned most_preemptions() const noexcept { return static_cast<unsigned>(options_.strategy.bound); }

    const search_options& options_;
    search_progress* progress_;
    search_progress unseen_;
    execution_runner runner_;
    future_read_search future_read_search_{runner_};
    std::unique_ptr<graph_reduction> graph_reduction_;
    execution_statistics execution_statistics_;
    work_stack work_;
    execution_graph graph_;
    // Executions that came to their ends, for repeat().
    std::optional<execution_graph> first_;
    std::optional<execution_graph> last_;
    tally counted_;
    std::optional<run_allowance> further_;  ///< since the first violation
    bool enough_ = false;
    std::uint64_t pairs_ = 0;
    clock::time_point look_at_memory_{};
};

}  // namespace ordeal::detail::graph
