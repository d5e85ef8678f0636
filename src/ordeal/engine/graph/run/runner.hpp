// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/run/graph_port.hpp"
#include "ordeal/engine/graph/run/run_copies.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ordeal::graph {

/// Is told of executions as they come to their ends.
class run_watcher {
public:
    run_watcher() = default;
    run_watcher(const run_watcher&) = delete;
    run_watcher& operator=(const run_watcher&) = delete;
    virtual ~run_watcher() = default;

    /// The threads are over, and finish() has not begun; whether it is an execution is not known yet.
    virtual void threads_ended(const execution_state& run) = 0;
    /// The execution of which threads_ended() told last is counted, with this outcome.
    virtual void counted(const execution_state& run, const std::string& outcome) = 0;
};

/// One scenario, run under one graph at a time.
class runner {
public:
    runner(const scenario& what, const memory_options& options)
        : what_(what),
          threads_(static_cast<int>(what.threads.size())),
          parts_(options, static_cast<int>(what.threads.size())) {}

    /// Runs the scenario as `graph` has it, and on from its end; the graph is then that of the whole run.
    ending run(execution_graph& graph, strategy& how, bool tracing = false);

    /// Counts the outcome of the last run, if it was complete.
    void count_outcome() {
        if (!outcome_) return;
        if (!outcome_->empty()) ++outcomes_[*outcome_];
        if (watcher_ != nullptr) watcher_->counted(parts_.run, *outcome_);
    }

    /// Of the last run; nothing where it was not complete.
    [[nodiscard]] const std::optional<std::string>& outcome() const noexcept { return outcome_; }

    /// Runs do not go on from what was run so far.
    void leave_copies() noexcept { copies_.drop(); }

    /// Whether some run has gone on from another since this was last asked.
    [[nodiscard]] bool went_back() noexcept { return std::exchange(went_back_, false); }

    /// Null: nobody is told.
    void tell(run_watcher* watcher) noexcept { watcher_ = watcher; }

    /// Ends the run with this violation; for signal handlers and std::terminate. Returns if no code on trial runs.
    void interrupt(violation_kind kind, const char* message);

    /// Whether threads have run, and nothing that they did came to the port in any run so far.
    [[nodiscard]] bool saw_nothing() const noexcept { return ran_threads_ && !saw_threads_; }

    [[nodiscard]] run_parts& parts() noexcept { return parts_; }
    [[nodiscard]] std::map<std::string, std::uint64_t>& outcomes() noexcept { return outcomes_; }

private:
    static void construct(void* self, int thread_id);
    static void run_thread(void* self, int thread_id);
    static void finish(void* self, int thread_id);
    void begin(execution_graph& graph, strategy& how, bool tracing);
    [[nodiscard]] bool goes_back(execution_graph& graph, strategy& how);
    [[nodiscard]] bool begin_threads(execution_graph& graph, strategy& how, bool tracing, bool copies);
    ending run_threads(const strategy& how, bool copies);
    [[nodiscard]] bool run_alone(fibers::body what);
    [[nodiscard]] ending judge_liveness();
    ending end(ending how);
    ending end_violated();
    ending end_early();

    const scenario& what_;
    int threads_;
    run_parts parts_;
    graph_port port_{parts_};
    run_copies copies_{parts_};
    std::map<std::string, std::uint64_t> outcomes_;
    run_watcher* watcher_ = nullptr;
    void* object_ = nullptr;
    bool ran_threads_ = false;
    bool saw_threads_ = false;
    bool went_back_ = false;
    std::string unchecked_outcome_;  // until destruction has shown nothing wrong
    std::optional<std::string> outcome_;
};

}  // namespace ordeal::graph
