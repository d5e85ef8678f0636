// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reductions that a search can have. A folder of engine/graph/reductions/ that is taken out of the sources leaves a
// program without that reduction: the core knows these by interfaces alone, which are `reduction` for those that decide
// at operations, `graph_reduction` for symmetry, and `snapshots`. Waiting is part of how the core schedules threads.
#include "ordeal/engine/graph/core/explorer/graph_reduction.hpp"
#include "ordeal/engine/graph/core/reduction.hpp"
#include "ordeal/engine/graph/core/runner/snapshots.hpp"

#if __has_include("ordeal/engine/graph/reductions/spinloops/spinloops.hpp")
#include "ordeal/engine/graph/reductions/spinloops/spinloops.hpp"
#define ORDEAL_SPINLOOPS
#endif
#if __has_include("ordeal/engine/graph/reductions/retries/retries.hpp")
#include "ordeal/engine/graph/reductions/retries/retries.hpp"
#define ORDEAL_RETRIES
#endif
#if __has_include("ordeal/engine/graph/reductions/blocked/blocked_threads.hpp")
#include "ordeal/engine/graph/reductions/blocked/blocked_threads.hpp"
#define ORDEAL_BLOCKED
#endif
#if __has_include("ordeal/engine/graph/reductions/wake_ups/redundant_wake_ups.hpp")
#include "ordeal/engine/graph/reductions/wake_ups/redundant_wake_ups.hpp"
#define ORDEAL_WAKE_UPS
#endif
#if __has_include("ordeal/engine/graph/reductions/spurious_failures/spurious_failures.hpp")
#include "ordeal/engine/graph/reductions/spurious_failures/spurious_failures.hpp"
#define ORDEAL_SPURIOUS_FAILURES
#endif
#if __has_include("ordeal/engine/graph/reductions/symmetry/symmetric_search.hpp")
#include "ordeal/engine/graph/reductions/symmetry/symmetric_search.hpp"
#define ORDEAL_SYMMETRY
#endif
#if __has_include("ordeal/engine/graph/reductions/snapshots/run_snapshots.hpp")
#include "ordeal/engine/graph/reductions/snapshots/run_snapshots.hpp"
#define ORDEAL_SNAPSHOTS
#endif

namespace ordeal::detail::graph {

// In the order in which they decide: a thread that has come back to an earlier state is blocked before retries are
// looked at.
reduction_list make_reductions(const run_context& of) {
    [[maybe_unused]] const search_reductions& on = of.options_.reductions;
    reduction_list result;
#ifdef ORDEAL_SPINLOOPS
    if (on.spinloops) result.add(std::make_unique<spinloops>(of));
#endif
#ifdef ORDEAL_RETRIES
    if (on.retries) result.add(std::make_unique<retries>(of));
#endif
#ifdef ORDEAL_BLOCKED
    if (on.blocked) result.add(std::make_unique<blocked_threads>(of));
#endif
#ifdef ORDEAL_WAKE_UPS
    if (on.wake_ups) result.add(std::make_unique<redundant_wake_ups>(of));
#endif
#ifdef ORDEAL_SPURIOUS_FAILURES
    if (on.spurious_failures) result.add(std::make_unique<spurious_failures>(of));
#endif
    return result;
}

std::unique_ptr<graph_reduction> make_graph_reduction([[maybe_unused]] const scenario& what,
                                                      [[maybe_unused]] const search_options& options,
                                                      execution_runner& runner) {
#ifdef ORDEAL_SYMMETRY
    if (options.reductions.symmetry) return std::make_unique<symmetric_search>(what, options, runner);
#endif
    return std::make_unique<graph_reduction>(runner);
}

std::unique_ptr<snapshots> make_snapshots([[maybe_unused]] interpreter& interpreter) {
#ifdef ORDEAL_SNAPSHOTS
    if (interpreter.options.reductions.snapshots) return std::make_unique<run_snapshots>(interpreter);
#endif
    return std::make_unique<snapshots>();
}

}  // namespace ordeal::detail::graph
