// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/event_facts.hpp"
#include "ordeal/engine/graph/execution_graph.hpp"

namespace ordeal::graph {

/// Whether the seq_cst events of the graph have an order as RC11 wants it: psc is acyclic (Lahav, Vafeiadis, Kang, Hur,
/// Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017). Every event must have been run. A write without a
/// place is not looked at.
[[nodiscard]] bool sequentially_consistent(const execution_graph& graph, const facts_table& facts);

}  // namespace ordeal::graph
