// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/exploration/exchange_check.hpp"
#include "ordeal/engine/graph/exploration/found_groups.hpp"
#include "ordeal/engine/graph/exploration/kept_executions.hpp"
#include "ordeal/engine/graph/exploration/retry_trials.hpp"
#include "ordeal/engine/graph/exploration/run_allowance.hpp"
#include "ordeal/engine/graph/exploration/symmetry.hpp"
#include "ordeal/engine/graph/exploration/tally.hpp"
#include "ordeal/engine/graph/exploration/work_stack.hpp"
#include "ordeal/engine/graph/run/runner.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ordeal::graph {

/// Passes graphs on that lead to a representative; the others are not even copied.
class graphs_of_representatives final : public strategy {
public:
    graphs_of_representatives(symmetry& judges, work_stack& into) noexcept
        : strategy(kind::explores, true), judges_(judges), into_(into) {}

    void emit(const execution_graph& alternative) override {
        if (judges_.leads_to_a_representative(alternative)) into_.emit(alternative);
    }
    [[nodiscard]] std::size_t waiting() const noexcept override { return into_.waiting(); }

private:
    symmetry& judges_;
    work_stack& into_;
};

/// One process's part of a systematic search: graphs to explore, and what came of those that were.
class explorer {
public:
    using clock = std::chrono::steady_clock;

    explorer(const scenario& what, const search_options& how, search_progress& progress);
    ~explorer();
    explorer(const explorer&) = delete;
    explorer& operator=(const explorer&) = delete;

    /// The one that this process has, for signal handlers: there is one at a time. Null: none.
    [[nodiscard]] static explorer* of_this_process() noexcept;

    /// Goes on until nothing is left, enough was found, or a limit is reached. A run that takes longer than until then, and
    /// than `patience` more, is left where it is, and is gone on with later.
    void explore(std::uint64_t more_runs, clock::time_point until, clock::duration patience = {});

    /// Explores from the beginnings of the largest parts until there are so many parts, or an end of the other kinds. The order
    /// of what is left then depends on the scenario alone.
    void divide(std::size_t parts, std::uint64_t more_runs, clock::time_point until);

    /// Whether the search has what it wants: nothing is left, or a violation that is simple enough.
    [[nodiscard]] bool done() const noexcept { return work_.empty() || enough_; }

    /// Adds a graph that another process left, or that a file has. Throws std::runtime_error when it cannot be one of
    /// this program.
    void take_over(execution_graph& graph);

    /// The groups of interchangeable threads that the first run finds, as text for other processes; empty: it is still to come.
    [[nodiscard]] std::string alike() { return alike_.text(runner_.parts().thread_ids); }
    /// They are those. Throws std::runtime_error where the text is none.
    void expect_alike(std::string_view text);
    [[nodiscard]] const found_groups& found_alike() const noexcept { return alike_; }
    /// Whether one execution alone of each class is explored.
    [[nodiscard]] bool symmetric() const noexcept { return symmetry_.any(); }

    [[nodiscard]] work_stack& work() noexcept { return work_; }
    [[nodiscard]] runner& runs_of() noexcept { return runner_; }
    [[nodiscard]] std::uint64_t runs() const noexcept { return counted_.runs; }
    [[nodiscard]] std::uint64_t executions() const noexcept { return counted_.executions; }
    [[nodiscard]] bool found() const noexcept { return counted_.found.has_value(); }

    /// For a process that shares the search: what it does is told by the one that it gives its counts to.
    void stop_reporting() noexcept { progress_ = &unseen_; }

    /// What this process counted since it was last asked.
    [[nodiscard]] tally take_tally();

private:
    /// Runs a graph again as a search does, and leaves what it comes to alone.
    class unheard final : public strategy {
    public:
        unheard() noexcept : strategy(kind::explores) {}
        void emit(const execution_graph& /*alternative*/) override {}
    };

    void run_one();
    [[nodiscard]] ending run_graph();
    [[nodiscard]] ending run_first();
    [[nodiscard]] ending run_held();
    void hold_alike();
    [[nodiscard]] bool still_alike(ending& how);
    void tell_apart(std::string why);
    void keep_for_repetition();
    void repeat();
    void repeat(const execution_graph& kept);
    bool count(ending how);
    void check_exchanges();
    void note_violation();
    void note_pairs();
    [[nodiscard]] bool beyond_memory(clock::time_point now);
    [[nodiscard]] bool bounded() const noexcept { return how_.mode == search_mode::preemptions; }
    [[nodiscard]] unsigned most_preemptions() const noexcept { return static_cast<unsigned>(how_.bound); }

    const search_options& how_;
    search_progress* progress_;
    search_progress unseen_;
    runner runner_;
    retry_trials trials_{runner_};
    kept_executions kept_;
    found_groups alike_;
    symmetry symmetry_;
    exchange_check check_;
    work_stack work_;
    graphs_of_representatives some_of_work_{symmetry_, work_};
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

}  // namespace ordeal::graph
