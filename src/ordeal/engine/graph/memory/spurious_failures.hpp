// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/execution/run_end.hpp"
#include "ordeal/engine/graph/memory/graph_memory.hpp"
#include "ordeal/engine/graph/progress/loops.hpp"
#include "ordeal/engine/graph/progress/thread_snapshots.hpp"

#include <cstdint>

namespace ordeal::graph {

/// Weak compare-exchanges that fail for no reason, and lead back to where they were: each new one is first made to fail,
/// on trial. What comes of that depends on the thread alone.
class spurious_failures {
public:
    spurious_failures(execution_state& run, run_end& end, graph_memory& memory, loops& all, thread_snapshots& snapshots)
        : run_(run), end_(end), memory_(memory), loops_(all), snapshots_(snapshots) {}

    void begin(const strategy& how) noexcept { strategy_ = &how; }

    /// Comes to an operation that may fail spuriously; null: it does so now, on trial.
    [[nodiscard]] object* come_to(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                  std::uint64_t desired, const caller_state& caller);

private:
    [[nodiscard]] bool may_speculate() const noexcept;

    execution_state& run_;
    run_end& end_;
    graph_memory& memory_;
    loops& loops_;
    thread_snapshots& snapshots_;
    const strategy* strategy_ = nullptr;
};

}  // namespace ordeal::graph
