// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>
#include <vector>

// Coherence and atomicity: what every memory model here keeps, one location at a time. A search keeps them by what it lets
// a new event choose.
namespace ordeal::graph {

/// The places in coherence that the new write `write` may take, the last one first: after `bound`, never between a
/// write and the read-modify-write that read from it; one of a read-modify-write directly after its own `rf`.
void allowed_co(const execution_graph& graph, event_id write, event_id rf, std::uint16_t bound,
                std::vector<std::uint16_t>& result);

/// Whether a graph that was not made by a search keeps both, as far as it has been run. `whole`: all of it has.
[[nodiscard]] bool coherent(const execution_graph& graph, const views_table& views, bool whole);

}  // namespace ordeal::graph
