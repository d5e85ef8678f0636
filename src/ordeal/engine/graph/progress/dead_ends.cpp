// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/dead_ends.hpp"

#include <algorithm>

namespace ordeal::graph {

bool dead_ends::is_for_good() const {
    const event_id last = run_.self().path.back();
    const event& which = (*run_.graph)[last];
    return which.kind == event_kind::read && (which.spurious || run_.graph->is_for_good(last));
}

bool dead_ends::only_reads_since_looks() const {
    const thread_state& me = run_.self();
    return std::all_of(me.path.begin() + (me.since - 1), me.path.end(),
                       [&](event_id id) { return (*run_.graph)[id].kind == event_kind::read; });
}

void dead_ends::leave_behind(std::uint16_t turn) const {
    if (!leaves_ || !strategy_->explores() || turn == run_.self().next) return;
    if (is_for_good() && only_reads_since_looks()) end_.abandon();
}

void dead_ends::leave_behind(const blocked::by_wait& why) const {
    if (!leaves_ || !strategy_->explores()) return;
    if (is_for_good() && woken_waits_.surely_notified(why)) end_.abandon();
}

}  // namespace ordeal::graph
