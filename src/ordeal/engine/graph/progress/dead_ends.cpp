// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/dead_ends.hpp"

#include <algorithm>

namespace ordeal::graph {

bool dead_ends::is_for_good(std::uint16_t turn) const {
    const thread_state& me = run_.self();
    if (!leaves_ || !strategy_->explores() || turn >= me.next || me.touched_anew > turn) return false;
    const execution_graph& graph = *run_.graph;
    const bool only_looks = std::all_of(me.path.begin() + turn, me.path.end(), [&](event_id id) {
        return graph[id].kind == event_kind::read && !graph[id].wakes;
    });
    const event_id last = me.path.back();
    return only_looks && (graph[last].spurious || graph.is_for_good(last));
}

void dead_ends::leave_behind(std::uint16_t turn) const {
    if (is_for_good(turn)) end_.abandon();
}

void dead_ends::leave_behind(const blocked::by_wait& why) const {
    const std::uint16_t turn = (*run_.graph)[why.read].index;
    if (is_for_good(turn) && woken_waits_.surely_notified(why)) end_.abandon();
}

}  // namespace ordeal::graph
