// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/execution/run_end.hpp"
#include "ordeal/engine/graph/core/execution/thread_fingerprints.hpp"
#include "ordeal/engine/graph/core/revisits/graph_memory.hpp"
#include "ordeal/engine/graph/reductions/loops/loops.hpp"

#include <cstdint>

namespace ordeal::graph {

/// Weak compare-exchanges that fail for no reason, and lead back to where they were: each new one is first made to fail,
/// on trial. What comes of that depends on the thread alone.
class spurious_failures {
public:
    spurious_failures(const execution_options& options, execution_state& run, run_end& run_end, graph_memory& memory,
                      loops& loops, thread_fingerprints& fingerprints)
        : options_(options),
          run_(run),
          run_end_(run_end),
          memory_(memory),
          loops_(loops),
          thread_fingerprints_(fingerprints) {}

    void begin(const strategy& how) noexcept { strategy_ = &how; }

    /// Comes to an operation that may fail spuriously; null: it does so now, on trial.
    [[nodiscard]] object* come_to(const atomic_access& access, object_kind kind, std::uint64_t expected,
                                  std::uint64_t desired, const caller_state& caller);

private:
    [[nodiscard]] bool may_speculate() const noexcept;

    const execution_options& options_;
    execution_state& run_;
    run_end& run_end_;
    graph_memory& memory_;
    loops& loops_;
    thread_fingerprints& thread_fingerprints_;
    const strategy* strategy_ = nullptr;
};

}  // namespace ordeal::graph
