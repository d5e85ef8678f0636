// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/atomics_order.hpp"

namespace ordeal::detail::graph {

// A total order with these edges exists exactly if they form no cycle.
bool atomics_order_check::allows(const execution_graph& graph, const views_table& views) {
    if (!gather(graph, views)) return true;
    find_coherence_ordered();
    order_all();
    return !has_cycle(order_);
}

// [atomics.order]/3, which is eco. Beside fences only that of seq_cst operations matters.
void atomics_order_check::find_coherence_ordered() {
    coherence_ordered_.reset(size());
    for_each_two_at_a_location([&](std::size_t id) { return some_fence() || is_seq_cst(id); },
                               [&](std::size_t a, std::size_t b) {
                                   if (is_eco(a, b)) coherence_ordered_.add(a, b);
                               });
}

// [atomics.order]/4: of two operations the first of which is coherence-ordered before the second, each may be seq_cst
// itself, or the first happen after, and the second before, a seq_cst fence.
void atomics_order_check::order_all() {
    order_.reset(size());
    from_.reset(size());
    for (const std::size_t a : seq_cst()) {
        from_.add_row(a, coherence_ordered_, a);
        if (is_fence(a)) hb().for_each(a, [&](std::size_t x) { from_.add_row(a, coherence_ordered_, x); });
        for (const std::size_t b : seq_cst()) {
            if (a == b) continue;
            const bool before_fence = is_fence(b) && from_.meets(a, hb_inverse(), b);
            if (before_fence || from_.has(a, b) || strongly_happens_before(a, b)) order_.add(a, b);
        }
    }
}

// [intro.races]/12: by program order, or program order, happens-before and program order. That the second synchronises
// with the first says no more than that it is coherence-ordered after it, and transitivity is that of S.
bool atomics_order_check::strongly_happens_before(std::size_t a, std::size_t b) const {
    const event& first = at(a);
    if (first.thread_id == at(b).thread_id) return first.index < at(b).index;
    // The ends of threads are no events; happens-before has the end of a thread as one more event of it.
    auto next = static_cast<event_index>(first.index + 1);
    const thread_paths::path& own = threads()[first.thread_id];
    if (next < own.size() && are_one_operation(a, own[next])) ++next;
    return hb_before(b).contains(first.thread_id, next);
}

// Happens-before at what precedes the event in its thread. A read acquires, and a fence; the write of a
// read-modify-write is one operation with its read.
const view& atomics_order_check::hb_before(std::size_t id) const {
    const event& each = at(id);
    if (each.is_rmw()) return views_of(threads()[each.thread_id][each.index - std::size_t{1}]).hb_before_acquire;
    return is_write(id) ? views_of(id).hb : views_of(id).hb_before_acquire;
}

}  // namespace ordeal::detail::graph
