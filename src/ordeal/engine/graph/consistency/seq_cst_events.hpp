// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/relation.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ordeal::detail::graph {

/// The seq_cst events of a graph, and the relations that any order of them is made of. Ignores events that have not
/// been run. Keeps its memory from graph to graph.
class seq_cst_events {
protected:
    /// False: there are too few to be in a cycle, and nothing else is known.
    [[nodiscard]] bool gather(const execution_graph& graph, const views_table& views);

    [[nodiscard]] std::size_t size() const noexcept { return graph_->size(); }
    [[nodiscard]] const event& at(std::size_t id) const { return (*graph_)[static_cast<event_id>(id)]; }
    [[nodiscard]] const event_views& views_of(std::size_t id) const { return (*views_)[id]; }
    [[nodiscard]] bool was_run(std::size_t id) const { return views_of(id).porf.contains(at(id)); }
    [[nodiscard]] bool is_seq_cst(std::size_t id) const { return at(id).using_order == order::seq_cst; }
    [[nodiscard]] bool is_fence(std::size_t id) const { return at(id).kind() == event_kind::fence; }
    [[nodiscard]] bool is_write(std::size_t id) const { return at(id).is_write(); }
    /// The write of a read-modify-write, and its read.
    [[nodiscard]] bool are_one_operation(std::size_t read, std::size_t write) const {
        return at(write).is_rmw() && at(read).thread_id == at(write).thread_id && at(read).index + 1 == at(write).index;
    }
    /// Of a write, or of what a read reads from.
    [[nodiscard]] coherence_position co(std::size_t id) const {
        return is_write(id) ? at(id).write().co : graph_->co_of(at(id).read().rf);
    }

    /// Of two accesses of one location: eco, the closure of rf, co and fr. No part of an operation comes before the
    /// other.
    [[nodiscard]] bool is_eco(std::size_t a, std::size_t b) const {
        if (are_one_operation(a, b)) return false;
        const bool reads = is_write(a) && !is_write(b) && at(b).read().rf == a;
        return reads || (co(b) > co(a) && (is_write(b) || at(b).read().rf != initial_write));
    }

    [[nodiscard]] const std::vector<std::size_t>& seq_cst() const noexcept { return seq_cst_; }
    [[nodiscard]] bool some_fence() const noexcept { return some_fence_; }
    [[nodiscard]] const thread_paths& threads() const noexcept { return threads_; }
    /// Happens-before, forward and backward.
    [[nodiscard]] const relation& hb() const noexcept { return hb_; }
    [[nodiscard]] const relation& hb_inverse() const noexcept { return hb_inverse_; }

    /// Calls `what` with each ordered pair of different events at one location, and at some byte of it, that `chosen`
    /// accepts.
    template <class Chosen, class Call>
    void for_each_two_at_a_location(Chosen chosen, Call what);

    /// Whether these edges between seq_cst events form a cycle.
    [[nodiscard]] bool has_cycle(const relation& edges);

private:
    const execution_graph* graph_ = nullptr;
    const views_table* views_ = nullptr;
    bool some_fence_ = false;
    thread_paths threads_;
    relation hb_, hb_inverse_;
    std::vector<std::size_t> seq_cst_, accesses_, predecessors_, free_;
};

template <class Chosen, class Call>
void seq_cst_events::for_each_two_at_a_location(Chosen chosen, Call what) {
    accesses_.clear();
    for (std::size_t id = 0; id < size(); ++id) {
        if (was_run(id) && at(id).where != no_location && chosen(id)) accesses_.push_back(id);
    }
    std::ranges::sort(accesses_, {}, [&](std::size_t id) { return at(id).where; });
    for (std::size_t begin = 0, end = 0; begin < accesses_.size(); begin = end) {
        while (end < accesses_.size() && at(accesses_[end]).where == at(accesses_[begin]).where) ++end;
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t k = begin; k < end; ++k) {
                const std::size_t a = accesses_[i];
                const std::size_t b = accesses_[k];
                if (i != k && at(a).bytes.overlaps(at(b).bytes)) what(a, b);
            }
        }
    }
}

}  // namespace ordeal::detail::graph
