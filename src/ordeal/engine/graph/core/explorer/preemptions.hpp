// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

namespace ordeal::detail::graph {

/// Whether the events of the graph can be run one after another with at most `bound` preemptions: changes of thread
/// where the one left had more to do and was not waiting for another. A graph with more cannot grow into one with
/// fewer.
[[nodiscard]] bool within_preemptions(const execution_graph& graph, unsigned bound);

}  // namespace ordeal::detail::graph
