// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/interpreter/graph_runtime.hpp"
#include "ordeal/engine/graph/core/runner/snapshots.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ordeal::detail::graph {

/// Is told of executions as they come to their ends.
class execution_observer {
public:
    execution_observer() = default;
    execution_observer(const execution_observer&) = delete;
    execution_observer& operator=(const execution_observer&) = delete;
    virtual ~execution_observer() = default;

    /// The threads are over, and finish() has not begun; whether it is an execution is not known yet.
    virtual void threads_ended(const run_state& run) = 0;
    /// Counts the execution of which threads_ended() told last, with this outcome.
    virtual void count_execution(const run_state& run, const std::string& outcome) = 0;
};

/// One scenario, run under one graph at a time.
class execution_runner {
public:
    execution_runner(const scenario& what, const execution_options& options)
        : what_(what),
          threads_(static_cast<int>(what.threads.size())),
          interpreter_(options, static_cast<int>(what.threads.size())) {}

    /// Runs the scenario as `graph` has it, and on from its end; the graph is then that of the whole run.
    ending run(execution_graph& graph, strategy& strategy, bool tracing = false);

    /// Runs it for a search, with what the reductions of that leave out: again after each question that one of them
    /// leaves the run for. `strategy` may have been told of revisits of events of the graph by any of these runs, and
    /// of each once.
    ending run_with_reductions(execution_graph& graph, strategy& strategy);

    /// Counts the outcome of the last run, if it was complete.
    void count_outcome() {
        if (!outcome_) return;
        if (!outcome_->empty()) ++outcomes_[*outcome_];
        if (observer_ != nullptr) observer_->count_execution(interpreter_.run, *outcome_);
    }

    /// Of the last run; nothing where it was not complete.
    [[nodiscard]] const std::optional<std::string>& outcome() const noexcept { return outcome_; }

    /// Runs do not go on from what was run so far.
    void drop_snapshots() noexcept { snapshots_->drop(); }

    /// Whether some run has gone on from another since this was last asked.
    [[nodiscard]] bool resumed_from_snapshot() noexcept { return std::exchange(resumed_from_snapshot_, false); }

    /// Null: nobody is told. Returns the one that was told until now.
    execution_observer* set_observer(execution_observer* watcher) noexcept { return std::exchange(observer_, watcher); }

    /// Ends the run with this violation; for signal handlers and std::terminate. Returns if no code on trial runs.
    void interrupt(violation_kind kind, const char* message, const calling_function& code);

    /// Whether threads have run, and nothing that they did came to the runtime in any run so far.
    [[nodiscard]] bool saw_nothing() const noexcept { return ran_threads_ && !saw_threads_; }

    [[nodiscard]] graph::interpreter& interpreter() noexcept { return interpreter_; }
    [[nodiscard]] std::map<std::string, std::uint64_t>& outcomes() noexcept { return outcomes_; }

private:
    static void construct(void* self, int thread_id);
    static void run_thread(void* self, int thread_id);
    static void finish(void* self, int thread_id);
    void begin(execution_graph& graph, strategy& strategy, bool tracing);
    [[nodiscard]] bool resume_from_snapshot(execution_graph& graph, strategy& strategy);
    [[nodiscard]] bool begin_threads(execution_graph& graph, strategy& strategy, bool tracing, bool snapshots);
    ending run_threads(const strategy& strategy, bool snapshots);
    [[nodiscard]] bool run_on_main_fiber(fibers::body what);
    [[nodiscard]] ending judge_liveness();
    ending end(ending ended);
    ending end_violated();
    ending end_early();

    const scenario& what_;
    int threads_;
    graph::interpreter interpreter_;
    graph_runtime runtime_{interpreter_};
    std::unique_ptr<snapshots> snapshots_ = make_snapshots(interpreter_);
    std::map<std::string, std::uint64_t> outcomes_;
    execution_observer* observer_ = nullptr;
    void* object_ = nullptr;
    bool ran_threads_ = false;
    bool saw_threads_ = false;
    bool resumed_from_snapshot_ = false;
    std::string unchecked_outcome_;  // until destruction has shown nothing wrong
    std::optional<std::string> outcome_;
};

}  // namespace ordeal::detail::graph
