// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/loops/loops.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

reduction::action loops::at_operation(const operation_point& at, blocking& blocking) {
    const thread_state& me = run_.self();
    if (at.earlier == nullptr || !run_.at_end(me)) return action::goes_on;
    const thread_fingerprint& earlier = *at.earlier;
    // An iteration that a spurious failure caused: the executions in which the thread goes on from here are those
    // without it. But other threads go on, and what they write may have been there for the thread when it looked.
    const auto spurious = [&](event_id id) { return (*run_.graph)[id].spurious; };
    if (std::any_of(me.path.begin() + earlier.event, me.path.end(), spurious)) {
        blocking.why = blocked::by_bound{};
    } else {
        blocking.why =
            blocked::by_loop{{earlier.event, earlier.clock.was_read_without_change(me.loop_visits.back().clock)}};
    }
    blocking.iteration_begin = earlier.event;
    return action::blocks;
}

}  // namespace ordeal::detail::graph
