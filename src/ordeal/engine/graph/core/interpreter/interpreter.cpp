// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/interpreter/interpreter.hpp"

namespace ordeal::graph {

void interpreter::begin(execution_graph& graph, strategy& how, bool tracing) {
    run.begin(graph);
    operation_accounting.begin();
    go_on(graph, how, tracing);
}

void interpreter::go_on(execution_graph& graph, strategy& how, bool tracing) {
    // Behind a race that is accepted, both orders of the accesses are better than one.
    run.in_order = how.explores() && options.accept.empty();
    recorder.begin(tracing);
    run_end.begin(how);
    scheduling.begin(how);
    reductions.begin_run(how);
    iteration_limits.begin(how);
    scheduler.begin(how);
    graph_memory.begin(graph, how);
    futexes.begin(how);
    heap_blocks.begin(how);
}

}  // namespace ordeal::graph
