// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/run_end.hpp"
#include "ordeal/engine/graph/execution/strategy.hpp"
#include "ordeal/engine/graph/progress/liveness.hpp"
#include "ordeal/engine/graph/progress/loops.hpp"

#include <vector>

namespace ordeal::graph {

/// Which thread runs next, and on its fiber.
class scheduler {
public:
    scheduler(execution_state& run, fibers& stacks, run_end& end, const liveness& still, loops& watched, findings& met)
        : run_(run), stacks_(stacks), end_(end), liveness_(still), loops_(watched), met_(met) {}

    void begin(strategy& how) noexcept { strategy_ = &how; }

    /// One that can go on in the graph, else the one that may add an event; -1: none.
    [[nodiscard]] int next_thread();
    void run_on(int thread_id);
    /// Whether some thread has begun and is not over.
    [[nodiscard]] bool some_unfinished() const noexcept;

    /// Construction is over, or all threads are. `may_be_quiet`: the only thread of a scenario may create others later.
    void enter_threads(bool may_be_quiet);
    void leave_threads();

private:
    [[nodiscard]] int next_in_graph();
    [[nodiscard]] bool is_consistent();
    void add_unblocked();
    [[nodiscard]] int goes_on_iterating();

    execution_state& run_;
    fibers& stacks_;
    run_end& end_;
    const liveness& liveness_;
    loops& loops_;
    findings& met_;
    strategy* strategy_ = nullptr;
    std::vector<int> runnable_;
};

}  // namespace ordeal::graph
