// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/global_order.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

namespace ordeal::detail::graph {

/// Sequential consistency (Lamport, "How to Make a Multiprocessor Computer That Correctly Executes Multiprocess
/// Programs", 1979): all events have one total order that respects program order. The orders of the operations are
/// ignored.
[[nodiscard]] bool allowed_by_sc(const execution_graph& graph, const views_table& views, global_order& tables);

/// TSO, as in x86-64 (Owens, Sarkar, Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009): each thread's stores
/// go through a buffer from which the thread itself reads. A locked instruction and a fence wait until the buffer is
/// empty. The operations of C++ map to these instructions:
///
///   load, any order                             mov
///   store, relaxed or release                   mov
///   store, seq_cst                              xchg, which is locked
///   read-modify-write; compare-exchange, also one that fails; lock and try_lock       locked
///   fence, seq_cst                              mfence
///   fence, any other order                      nothing
///   creation and end of a thread                order like a fence
[[nodiscard]] bool allowed_by_tso(const execution_graph& graph, const views_table& views, global_order& tables);

}  // namespace ordeal::detail::graph
