// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/standstill.hpp"

#include "ordeal/engine/graph/execution/conditions.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ordeal::graph {

// Whether a read took what is last in coherence, so that nothing newer can wake its thread.
bool standstill::latest(event_id read) const {
    const event& each = (*run_.graph)[read];
    return run_.graph->coherence(each.where).back() == each.source;
}

// Whether a thread that waits idly has been notified since.
bool standstill::woken(const thread_state& waiter) const {
    const event_id newest =
        run_.graph->coherence(waiter.condition).back();  // its own beginning to wait, if nothing else
    return ((*run_.graph)[newest].value & woken_bit((*run_.graph)[waiter.path.back()].number)) != 0;
}

bool standstill::waits_for_ever(const thread_state& waiter) const {
    switch (waiter.why) {
        case blocked_by::lock: return latest(waiter.path.back());
        case blocked_by::wait: return !woken_waits_.notified(waiter);
        case blocked_by::bound:
        case blocked_by::time: return false;
        case blocked_by::idle: return !woken(waiter);
        case blocked_by::idle_for_a_time: return !woken(waiter) && turns_for_ever(waiter);
        case blocked_by::endless: return true;
        case blocked_by::turns:
        case blocked_by::loop: break;
    }
    return turns_for_ever(waiter);
}

// Whether a write was made in a turn of a loop that has come back to where it was: it put back what was there, or it is of a
// lock taken for a look.
bool standstill::made_in_vain(event_id write) const {
    const event& made = (*run_.graph)[write];
    const thread_state& by = run_.of(made.number);
    const bool came_back = by.goes_round() || by.is_blocked(blocked_by::idle);
    return came_back && made.index >= by.turn_begin;
}

// Whether there is something else now than what a thread only looked at: a lock that was held in the middle of another's
// turn is free at the end of it.
bool standstill::saw_another_value(const thread_state& by, const event& read) const {
    const auto next = read.index + std::size_t{1};
    if (next < by.path.size() && (*run_.graph)[by.path[next]].exclusive) return false;
    const object* const of = run_.object_at(read.where);
    return of != nullptr &&
           run_.value_of(run_.graph->coherence(read.where).back(), *of) != run_.value_of(read.source, *of);
}

// Whether the last turn of a loop saw all that there is to see.
bool standstill::turns_for_ever(const thread_state& waiter) const {
    const auto unseen = [&](const event& read) {
        if (saw_another_value(waiter, read)) return true;
        const std::vector<event_id>& order = run_.graph->coherence(read.where);
        const auto later = order.begin() + run_.graph->place_of(read.source) + 1;
        return std::any_of(later, order.end(), [&](event_id write) { return !made_in_vain(write); });
    };
    return std::none_of(waiter.path.begin() + waiter.turn_begin, waiter.path.end(), [&](event_id id) {
        const event& each = (*run_.graph)[id];
        // Who waits for a condition variable is no matter here, and whether this thread was notified is asked elsewhere.
        const bool looks = each.kind == event_kind::read && each.where != waiter.condition;
        return looks && unseen(each);
    });
}

bool standstill::some_endless() const noexcept {
    return std::ranges::any_of(run_.threads,
                               [](const thread_state& each) { return each.is_blocked(blocked_by::endless); });
}

bool standstill::is_for_ever() const {
    const harness_scope harness;
    if (some_endless()) return true;
    for (const int number : run_.order()) {
        const thread_state& each = run_.of(number);
        if (each.status == thread_status::blocked && !waits_for_ever(each)) return false;
    }
    return true;
}

bool standstill::waits_for_clock() const {
    return std::ranges::any_of(run_.threads,
                               [](const thread_state& each) { return each.goes_round() && each.polls_clock; });
}

std::string standstill::words() const {
    if (!some_endless()) return "no thread can go on, and not all have finished";
    return "a thread goes on and on with plain accesses: there were more than " + std::to_string(most_accesses_);
}

violation_kind standstill::kind() const {
    const bool turning = std::ranges::any_of(run_.threads, [](const thread_state& each) { return each.goes_round(); });
    return turning || some_endless() ? violation_kind::livelock : violation_kind::deadlock;
}

}  // namespace ordeal::graph
