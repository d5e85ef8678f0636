// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <vector>

// Coherence and atomicity: the axioms that every memory model here shares, per location. A search maintains them
// through the choices that it offers a new event.
namespace ordeal::detail::graph {

/// The positions in coherence open to a new write, the last one first: after `bound`, and never between a write and the
/// read-modify-write that read from it. The write of a read-modify-write is directly after its own `rf`.
void coherent_placings(const execution_graph& graph, event_id write, event_id rf, coherence_position bound,
                       std::vector<coherence_position>& result);

/// Whether a graph that was not made by a search satisfies both, as far as it has been run. `whole`: all of it was run.
[[nodiscard]] bool coherent(const execution_graph& graph, const views_table& views, bool whole);

}  // namespace ordeal::detail::graph
