// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/blocked/blocked_threads.hpp"

#include <algorithm>

namespace ordeal::graph {

bool blocked_threads::is_permanent() const {
    const event_id last = run_.self().path.back();
    const event& which = (*run_.graph)[last];
    return which.kind == event_kind::read && (which.spurious || run_.graph->is_permanent(last));
}

bool blocked_threads::only_reads_since_first_visit() const {
    const thread_state& me = run_.self();
    return std::all_of(me.path.begin() + (me.since - 1), me.path.end(),
                       [&](event_id id) { return (*run_.graph)[id].kind == event_kind::read; });
}

void blocked_threads::abandon_if_blocked_permanently(std::uint16_t iteration_begin) const {
    if (!leaves_ || !strategy_->explores() || iteration_begin == run_.self().next) return;
    if (is_permanent() && only_reads_since_first_visit()) run_end_.abandon();
}

void blocked_threads::abandon_if_blocked_permanently(const blocked::by_wait& why) const {
    if (!leaves_ || !strategy_->explores()) return;
    if (is_permanent() && woken_waits_.surely_notified(why)) run_end_.abandon();
}

}  // namespace ordeal::graph
