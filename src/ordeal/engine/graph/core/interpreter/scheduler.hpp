// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/liveness/liveness.hpp"
#include "ordeal/engine/graph/core/progress/thread_visits.hpp"
#include "ordeal/engine/graph/core/run/run_context.hpp"

#include <vector>

namespace ordeal::detail::graph {

/// Which thread runs next, and on its fiber.
class scheduler : run_context {
public:
    scheduler(const run_context& of, const liveness& liveness, thread_visits& visits)
        : run_context(of), liveness_(liveness), thread_visits_(visits) {}

    /// One that can go on in the graph, else the one that may add an event; -1: none.
    [[nodiscard]] int next_thread();
    void run_on(int thread_id);
    /// Whether some thread has begun and is not over.
    [[nodiscard]] bool some_unfinished() const noexcept;

    /// Construction is over, or all threads are. `may_be_single_threaded`: the only thread of a scenario may create
    /// others later.
    void enter_threads(bool may_be_single_threaded);
    void leave_threads();

private:
    [[nodiscard]] int next_in_graph();
    [[nodiscard]] bool may_extend_graph();
    [[nodiscard]] int choose_frontier_thread();
    [[nodiscard]] bool is_consistent();
    void add_runnable(int thread_id);
    void add_unblocked();
    [[nodiscard]] bool waits_for_time(int thread_id) const noexcept;
    [[nodiscard]] int next_in_time() const noexcept;
    [[nodiscard]] int observed_in_iteration() const;
    [[nodiscard]] int goes_on_iterating();

    const liveness& liveness_;
    thread_visits& thread_visits_;
    std::vector<runnable_thread> runnable_;
};

}  // namespace ordeal::detail::graph
