// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/run/run_parts.hpp"

namespace ordeal::graph {

void run_parts::begin(execution_graph& graph, strategy& how, bool tracing) {
    run.begin(graph);
    begins.begin();
    go_on(graph, how, tracing);
}

void run_parts::go_on(execution_graph& graph, strategy& how, bool tracing) {
    // Behind a race that is accepted, both orders of the accesses are better than one.
    run.in_order = how.explores() && options.accept.empty();
    steps.begin(tracing);
    end.begin(how);
    waits.begin(how);
    again.begin(how);
    behind.begin(how);
    watched.begin(how);
    schedule.begin(how);
    memory.begin(graph, how);
    failures.begin(how);
    words.begin(how);
    blocks.begin(how);
}

}  // namespace ordeal::graph
