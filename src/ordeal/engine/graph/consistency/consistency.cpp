// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/consistency.hpp"

#include "ordeal/engine/graph/consistency/coherence.hpp"
#include "ordeal/engine/graph/consistency/load_buffering.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

namespace {

// Sequential consistency (Lamport, "How to Make a Multiprocessor Computer That Correctly Executes Multiprocess
// Programs", 1979): all events have one total order that respects program order. The orders of the operations are
// ignored.
bool allowed_by_sc(const execution_graph& graph, const views_table& views, global_happens_before& tables) {
    return tables.exists(graph, views, [](const event& /*which*/, const event_views& /*facts*/) { return true; });
}

bool empties_buffer(const event& which, const event_views& views) {
    switch (which.kind()) {
        case event_kind::read: return views.may_be_rmw;
        case event_kind::write: return (which.is_rmw() && !which.is_blind()) || which.using_order == order::seq_cst;
        case event_kind::fence: return which.using_order == order::seq_cst;
        case event_kind::creation:
        case event_kind::beginning:
        case event_kind::arrival: return true;
        case event_kind::allocation: break;
    }
    return false;
}

// TSO, as in x86-64 (Owens, Sarkar, Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009): each thread's stores
// go through a buffer from which the thread itself reads. A locked instruction and a fence wait until the buffer is
// empty. The operations of C++ map to these instructions:
//
//   load, any order                             mov
//   store, relaxed or release                   mov
//   store, seq_cst                              xchg, which is locked
//   read-modify-write; compare-exchange, also one that fails; lock and try_lock       locked
//   fence, seq_cst                              mfence
//   fence, any other order                      nothing
//   creation and end of a thread                order like a fence
//
// Sequential consistency per location is coherence, which the search maintains.
bool allowed_by_tso(const execution_graph& graph, const views_table& views, global_happens_before& tables) {
    return tables.exists(graph, views, &empties_buffer);
}

}  // namespace

// Without seq_cst fences, the edges of psc and of S are between seq_cst accesses: program order, happens-before,
// coherence and from-reads. As nothing happens after the new event, its only edges to other events are those of
// coherence or from-reads, to the seq_cst writes that are later in coherence, and in S to what reads from later ones.
// If there are none, it is in no cycle; and it adds no edge between other events.
bool consistency::surely_consistent(const execution_graph& graph, const event& added,
                                    std::span<const event_id> later) const noexcept {
    if (!uses_memory_orders(which_) || some_seq_cst_fence_) return later.empty();
    if (added.using_order != order::seq_cst || later.empty()) return true;
    if (std::ranges::any_of(later, [&](event_id each) { return graph[each].using_order == order::seq_cst; }))
        return false;
    return which_ != memory_model::cpp20_letter || std::ranges::none_of(graph.events(), [&](const event& each) {
               return each.is_read() && each.using_order == order::seq_cst &&
                      std::ranges::find(later, each.read().rf) != later.end();
           });
}

bool consistency::allows_future_reads(const execution_graph& graph, const views_table& views) const {
    if (!graph.future_reads) return true;
    return has_load_buffering(which_) && coherent(graph, views, true) && future_reads_are_allowed(graph, views);
}

bool consistency::allows(const execution_graph& graph, const views_table& views) {
    if (graph.future_reads && !has_load_buffering(which_)) return false;
    switch (which_) {
        case memory_model::cpp20_letter:
        case memory_model::cpp20:
        case memory_model::rc11:
            // Most graphs are sequentially consistent, which implies every axiom and is cheaper to check.
            if (!some_seq_cst_ || allowed_by_sc(graph, views, order_.tables())) return true;
            return which_ == memory_model::cpp20_letter ? atomics_order_.tables().allows(graph, views)
                                                        : rc11_.tables().allows(graph, views);
        case memory_model::tso: return allowed_by_tso(graph, views, order_.tables());
        case memory_model::sc: break;
    }
    return allowed_by_sc(graph, views, order_.tables());
}

}  // namespace ordeal::detail::graph
