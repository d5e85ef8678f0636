// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/interpreter/interpreter.hpp"

namespace ordeal::detail::graph {

void interpreter::begin(execution_graph& graph, strategy& strategy, bool tracing) {
    run.begin(graph);
    operation_accounting.begin();
    go_on(graph, strategy, tracing);
}

void interpreter::go_on(execution_graph& graph, strategy& strategy, bool tracing) {
    run.strategy = &strategy;
    graph.mixed_sizes = !mixed_sizes.known().empty();
    if (strategy.explores()) {
        graph.arrivals_are_events = options.begins_again && options.reductions.barriers;
        graph.elides_locks = options.begins_again && options.reductions.lock_elision;
    }
    if (!strategy.replays()) graph.late_timeouts = options.late_timeouts && strategy.samples();
    // The time that a thread sees depends on what others have done before. Behind a race that is accepted, both orders
    // of the accesses are better than one.
    run.in_order = (strategy.explores() && (options.accept.empty() || run.certification != nullptr)) ||
                   (strategy.replays() && graph.late_timeouts);
    recorder.begin(tracing);
    run_end.begin();
    scheduling_points.begin();
    reductions.begin_run();
    graph_memory.begin();
    heap_blocks.begin();
}

}  // namespace ordeal::detail::graph
