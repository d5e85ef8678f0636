// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/consistency/seq_cst_events.hpp"

namespace ordeal::detail::graph {

bool seq_cst_events::gather(const execution_graph& graph, const views_table& views) {
    graph_ = &graph;
    views_ = &views;
    some_fence_ = false;
    seq_cst_.clear();
    for (std::size_t id = 0; id < size(); ++id) {
        if (!is_seq_cst(id) || !was_run(id)) continue;
        seq_cst_.push_back(id);
        some_fence_ |= is_fence(id);
    }
    if (seq_cst_.size() < 2) return false;
    threads_.clear();
    for (std::size_t id = 0; id < size(); ++id) {
        if (was_run(id)) threads_.add(at(id).thread_id, static_cast<event_id>(id));
    }
    // Happens-before contains a prefix of each thread.
    hb_.reset(size());
    hb_inverse_.reset(size());
    for (std::size_t b = 0; b < size(); ++b) {
        for (std::size_t thread_id = 0; thread_id < threads_.size(); ++thread_id) {
            for (const std::size_t a : threads_[thread_id]) {
                if (!views_of(b).hb.contains(thread_id, at(a).index)) break;
                if (a == b) continue;
                hb_.add(a, b);
                hb_inverse_.add(b, a);
            }
        }
    }
    return true;
}

// Topological sort: removes events without predecessors until none is left, or a cycle remains.
bool seq_cst_events::has_cycle(const relation& edges) {
    predecessors_.assign(size(), 0);
    for (const std::size_t a : seq_cst_) edges.for_each(a, [&](std::size_t b) { ++predecessors_[b]; });
    free_.clear();
    for (const std::size_t a : seq_cst_) {
        if (predecessors_[a] == 0) free_.push_back(a);
    }
    std::size_t removed = 0;
    for (; removed < free_.size(); ++removed) {
        edges.for_each(free_[removed], [&](std::size_t b) {
            if (--predecessors_[b] == 0) free_.push_back(b);
        });
    }
    return removed < seq_cst_.size();
}

}  // namespace ordeal::detail::graph
