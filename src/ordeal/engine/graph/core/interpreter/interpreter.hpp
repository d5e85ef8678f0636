// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/interpreter/scheduler.hpp"
#include "ordeal/engine/graph/core/liveness/liveness.hpp"
#include "ordeal/engine/graph/core/operations/arrivals.hpp"
#include "ordeal/engine/graph/core/operations/atomic_operations.hpp"
#include "ordeal/engine/graph/core/operations/condition_variables.hpp"
#include "ordeal/engine/graph/core/operations/created_threads.hpp"
#include "ordeal/engine/graph/core/operations/futexes.hpp"
#include "ordeal/engine/graph/core/operations/heap_blocks.hpp"
#include "ordeal/engine/graph/core/operations/locks.hpp"
#include "ordeal/engine/graph/core/progress/iteration_bounds.hpp"
#include "ordeal/engine/graph/core/progress/thread_visits.hpp"
#include "ordeal/engine/graph/non_atomic/cells.hpp"
#include "ordeal/engine/graph/non_atomic/non_atomic_memory.hpp"

namespace ordeal::detail::graph {

/// All that runs one graph after another, and how the parts know each other: each knows those before it that it is
/// given, and none after it.
struct interpreter {
    /// `threads`: those of the scenario; they may create more.
    interpreter(const execution_options& options, int threads) : options(options), thread_ids(threads) {
        run.thread_ids = &thread_ids;
        run.mixed_sizes = &mixed_sizes;
        run.model = consistency(options.model);
        if (options.instrumented) non_atomic_memory.add_regions();
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;

    /// Before each run, in this order: the parts, then the runtime of the code on trial.
    void begin(execution_graph& graph, strategy& strategy, bool tracing);
    /// As begin(), before a run that goes on from a snapshot.
    void go_on(execution_graph& graph, strategy& strategy, bool tracing);

    /// What calls of earlier runs have left on the stacks is then no reason for a difference between runs.
    void clear_stacks() noexcept {
        for (int thread_id = 0; thread_id <= thread_ids.count(); ++thread_id) fibers.clear(thread_id);
    }

    execution_options options;
    graph::fibers fibers;
    thread_tree thread_ids;
    graph::mixed_sizes mixed_sizes;
    graph::search_facts search_facts;  ///< by all runs
    run_state run;                     ///< what changes

    graph::recorder recorder{run, options.instrumented, fibers};
    graph::acceptances acceptances{options.accept, run};
    graph::run_end run_end{run, fibers, recorder, search_facts, acceptances};
    graph::site_coverage site_coverage{run};
    graph::stack_limits stack_limits{run, fibers, run_end};
    graph::operation_accounting operation_accounting{options, run, run_end, site_coverage, stack_limits, search_facts};
    graph::scheduling_points scheduling_points{run, fibers, run_end};

    graph::single_threaded_memory single_threaded_memory{run, run_end, site_coverage};
    graph::thread_fingerprints thread_fingerprints{run, fibers, options.instrumented};
    run_context context{options,
                        run,
                        fibers,
                        search_facts,
                        recorder,
                        run_end,
                        site_coverage,
                        operation_accounting,
                        scheduling_points,
                        single_threaded_memory,
                        thread_fingerprints};

    graph::notifications notifications{context, acceptances};
    graph::used_orders used_orders{run, site_coverage};
    graph::object_lifetimes object_lifetimes{context, notifications, used_orders};
    graph::cells cells{context, object_lifetimes, used_orders};
    graph::non_atomic_memory non_atomic_memory{context, object_lifetimes, notifications, used_orders};

    graph::liveness liveness{run, options.non_atomic_limit};
    reduction_list reductions = make_reductions(context);
    graph::thread_visits thread_visits{context, reductions};
    graph::iteration_bounds iteration_bounds{context};
    graph::scheduler scheduler{context, liveness, thread_visits};
    graph::future_reads future_reads{context};
    graph::graph_memory graph_memory{context, iteration_bounds, reductions, object_lifetimes, future_reads};

    graph::operation_parts operation_parts{context,    thread_visits,    iteration_bounds,
                                           reductions, object_lifetimes, graph_memory};
    graph::non_atomic_memory* memory_if_instrumented = options.instrumented ? &non_atomic_memory : nullptr;
    graph::atomic_operations atomic_operations{operation_parts, future_reads, memory_if_instrumented};
    graph::locks locks{operation_parts};
    graph::sleeps sleeps{operation_parts};
    graph::condition_variables condition_variables{operation_parts, locks, sleeps};
    graph::futexes futexes{operation_parts, notifications, sleeps};
    graph::created_threads created_threads{operation_parts, thread_ids, memory_if_instrumented};
    graph::arrivals arrivals{operation_parts};
    graph::heap_blocks heap_blocks{operation_parts, memory_if_instrumented};
};

}  // namespace ordeal::detail::graph
