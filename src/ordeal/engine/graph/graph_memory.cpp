// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/graph_memory.hpp"

#include "ordeal/engine/graph/sequential_consistency.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ordeal::graph {

bool graph_memory::is_execution() const {
    // A violation may end a run before all of its graph was run; what was must still be right.
    const bool whole = run_.replayed();
    if (!whole && !end_.found()) return false;
    for (std::size_t i = 0; i < graph_->size(); ++i) {
        const event& each = (*graph_)[static_cast<event_id>(i)];
        if (!each.accesses_memory() || !facts_[i].done) continue;
        const std::vector<event_id>& order = graph_->coherence(each.where);
        // A read not before what it knew already; a write after that, and in a place of its own.
        if (each.kind == event_kind::read) {
            if (graph_->place_of(each.source) < graph_->bound(each.where, facts_[i].before)) return false;
            continue;
        }
        view before = facts_[i].happened;
        --before[each.number];
        if (each.place <= graph_->bound(each.where, before) || order[each.place] != i) return false;
        if (!whole) continue;
        if (std::ranges::count(order, initial_write) != 1) return false;
        if (each.exclusive && run_.read_before(each).source != order[each.place - std::size_t{1}]) {
            return false;
        }
    }
    return !whole || !run_.ordered || sequentially_consistent(*graph_, facts_);
}

}  // namespace ordeal::graph
