// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/wake_ups/idle_waits.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <array>

namespace ordeal::detail::graph {

// Between the two waits the thread has only locked the mutex and read what it protects. So whenever its lock reads from
// this write, the thread comes back here. The lock is removed from the graph, and the thread has to wait for the next
// write to the mutex. Whatever other threads do meanwhile, they also do in the executions in which the wait goes on.
void idle_waits::end_redundant_wake_up(const iteration& last) {
    constexpr std::size_t events_of_wait = 7;  // enters (2), unlocks, wakes up (2), locks (2)
    const thread_state& me = run_.self();
    if (!options_.reductions.waiting || !strategy_->explores() || !run_.at_end(me)) return;
    if (me.next != last.begin + events_of_wait) return;
    const event_id wakes = me.path[last.begin + std::size_t{3}];
    const event_id locks = me.path[last.begin + std::size_t{5}];
    if (!(*run_.graph)[wakes].wakes || !(*run_.graph)[wakes].spurious) return;
    if (locks >= run_.given) {
        const harness_scope harness;
        const event_id with = (*run_.graph)[locks].rf;
        run_.graph->remove_last();
        run_.graph->remove_last();
        (*run_.graph)[wakes].redundant_wake_up_write = with;
        strategy_->emit(*run_.graph);
    }
    run_end_.abandon();
}

std::optional<iteration> idle_waits::at_wait(const wait_point& at) {
    const harness_scope harness;
    thread_state& me = run_.self();
    const bool passed = at.limit.when == wait_timeout::kind::expired;
    const std::array given{std::uint64_t{at.condition}, std::uint64_t{passed}, passed ? 0 : at.limit.distance};
    // What others write meanwhile does not matter: whether the thread alone came back decides.
    const thread_fingerprint now =
        thread_fingerprints_.take(thread_fingerprint::extent::thread, at.site, at.caller, given);
    // A notification that ended one of the waits in between would have gone to another thread.
    const auto all_ended_spuriously_since = [&](const wait_beginning& before) {
        const auto ended =
            std::count_if(me.path.begin() + before.state.event, me.path.begin() + now.event, [&](event_id id) {
                const event& each = (*run_.graph)[id];
                return each.spurious && (each.wakes || each.kind == event_kind::fence);
            });
        return static_cast<unsigned>(ended) == me.waits_made - before.waits_made;
    };
    const bool may_write = at.releases_mutex && at.limit.when == wait_timeout::kind::none;
    const auto found = std::find_if(me.waits_begun.rbegin(), me.waits_begun.rend(), [&](const auto& before) {
        return (may_write ? now.is_in_state_of(before.state) : now.has_come_back_to(before.state)) &&
               all_ended_spuriously_since(before);
    });
    std::optional<iteration> idle;
    if (found != me.waits_begun.rend()) {
        const thread_fingerprint& before = found->state;
        idle = iteration{before.event, passed && before.clock.was_read_without_change(now.clock),
                         !now.has_come_back_to(before)};
        findings_.clock_bound |= idle->polls_clock;
    }
    me.waits_begun.push_back({now, me.waits_made});
    if (idle && may_write && !idle->writes) end_redundant_wake_up(*idle);
    return idle;
}

}  // namespace ordeal::detail::graph
