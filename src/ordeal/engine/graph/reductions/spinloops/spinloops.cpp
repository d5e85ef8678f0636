// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/spinloops/spinloops.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

bool spinloops::some_event_since(event_index begin, bool (event::*is_one)() const noexcept) const {
    const thread_state& me = run_.self();
    return std::any_of(me.path.begin() + begin, me.path.end(),
                       [&](event_id id) { return ((*run_.graph)[id].*is_one)(); });
}

reduction::action spinloops::at_operation(const operation_point& at, blocking& blocking) {
    if (at.earlier == nullptr) return action::goes_on;
    // Nobody has asked whether what it wrote has no effect in sum; and a time limit may have ended a wait.
    const event_index begin = at.earlier->event;
    if (some_event_since(begin, &event::is_spurious) && some_event_since(begin, &event::is_write))
        return action::goes_on;
    return at_iteration({*at.earlier, run_.self().loop_visits.back(), begin}, blocking);
}

reduction::action spinloops::at_iteration(const iteration_point& at, blocking& blocking) {
    if (!run_.at_end(run_.self())) return action::goes_on;
    // An iteration that a spurious failure or wake-up caused: the executions in which the thread goes on from here are
    // those without it. But other threads go on, and what they write may have been there for the thread when it looked.
    if (some_event_since(at.earlier.event, &event::is_spurious)) {
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
