// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/spinloops/spinloops.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

reduction::action spinloops::at_operation(const operation_point& at, blocking& blocking) {
    if (at.earlier == nullptr) return action::goes_on;
    return at_iteration({*at.earlier, run_.self().loop_visits.back(), at.earlier->event}, blocking);
}

reduction::action spinloops::at_iteration(const iteration_point& at, blocking& blocking) {
    const thread_state& me = run_.self();
    if (!run_.at_end(me)) return action::goes_on;
    // An iteration that a spurious failure or wake-up caused: the executions in which the thread goes on from here are
    // those without it. But other threads go on, and what they write may have been there for the thread when it looked.
    const bool is_spurious = std::any_of(me.path.begin() + at.earlier.event, me.path.end(),
                                         [&](event_id id) { return (*run_.graph)[id].is_spurious(); });
    if (is_spurious) {
        blocking.why = blocked::by_pruning{at.earlier.event};
    } else {
        const bool polls_clock = at.earlier.clock.was_read_without_change(at.now.clock);
        blocking.why = blocked::by_spinloop{{at.earlier.event, polls_clock, at.same_since}};
    }
    blocking.iteration_begin = at.earlier.event;
    blocking.touches_first = !at.now.touched_nothing_again_since(at.earlier);
    return action::blocks;
}

}  // namespace ordeal::detail::graph
