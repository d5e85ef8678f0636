// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/standstill.hpp"

#include "ordeal/model/execution.hpp"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

namespace ordeal::graph {

namespace {

/// One function for each reason.
template <class... Case>
struct cases : Case... {
    using Case::operator()...;
};

// Of a thread that came back to where it was, in a loop that would go on; else null.
const turn* turn_of_loop(const thread_state& thread) noexcept {
    if (const auto* const why = thread.blocked_as<blocked::by_loop>()) return &why->last;
    if (const auto* const why = thread.blocked_as<blocked::idly_for_a_time>()) return &why->last;
    return nullptr;
}

// The same, or of one that waits until it is notified.
const turn* last_turn(const thread_state& thread) noexcept {
    if (const auto* const why = thread.blocked_as<blocked::idly>()) return &why->last;
    return turn_of_loop(thread);
}

}  // namespace

// Whether a read took what is last in coherence, so that nothing newer can wake its thread.
bool standstill::latest(event_id read) const {
    const event& each = (*run_.graph)[read];
    return run_.graph->newest(each.where) == each.source;
}

bool standstill::notified(const blocked::idly& waiter) const {
    const event_id newest = run_.graph->newest(waiter.condition);  // its own beginning to wait, if nothing else
    return ((*run_.graph)[newest].value & waiter.woken) != 0;
}

bool standstill::waits_for_ever(const thread_state& waiter) const {
    // Who waits for a condition variable is no matter in a turn, and whether the thread was notified is asked by itself.
    const cases answer{
        [&](const blocked::by_lock& why) { return latest(why.read); },
        [&](const blocked::by_wait& why) { return !woken_waits_.notified(why); },
        [&](const blocked::by_loop& why) { return saw_all(waiter, why.last.begin, no_location); },
        [&](const blocked::by_turns& why) { return saw_all(waiter, why.begin, no_location); },
        [](const blocked::by_bound&) { return false; },
        [](const blocked::by_time&) { return false; },
        [&](const blocked::idly& why) { return !notified(why); },
        [&](const blocked::idly_for_a_time& why) {
            return !notified(why) && saw_all(waiter, why.last.begin, why.condition);
        },
        [](const blocked::endlessly&) { return true; },
    };
    return std::visit(answer, waiter.why);
}

// Whether a write was made in a turn of a loop that has come back to where it was: it put back what was there, or it is of a
// lock taken for a look.
bool standstill::made_in_vain(const event& made) const {
    const turn* const last = last_turn(run_.of(made.number));
    return last != nullptr && made.index >= last->begin;
}

// Whether there is something else now than what a thread only looked at: a lock that was held in the middle of another's
// turn is free at the end of it.
bool standstill::saw_another_value(const thread_state& by, const event& read) const {
    const auto next = read.index + std::size_t{1};
    if (next < by.path.size() && (*run_.graph)[by.path[next]].exclusive) return false;
    const object* const of = run_.object_at(read.where);
    return of != nullptr && run_.value_of(run_.graph->newest(read.where), *of) != run_.value_of(read.source, *of);
}

// Whether a turn saw all that there is to see, `besides` left out.
bool standstill::saw_all(const thread_state& waiter, std::uint16_t turn_begin, location besides) const {
    const auto unseen = [&](const event& read) {
        if (saw_another_value(waiter, read)) return true;
        const std::uint16_t seen = run_.graph->place_of(read.source);
        return std::ranges::any_of(run_.graph->events(), [&](const event& each) {
            const bool later = each.where == read.where && each.kind == event_kind::write && each.place > seen;
            return later && !made_in_vain(each);
        });
    };
    return std::none_of(waiter.path.begin() + turn_begin, waiter.path.end(), [&](event_id id) {
        const event& each = (*run_.graph)[id];
        return each.kind == event_kind::read && each.where != besides && unseen(each);
    });
}

bool standstill::some_endless() const noexcept {
    return std::ranges::any_of(
        run_.threads, [](const thread_state& each) { return each.blocked_as<blocked::endlessly>() != nullptr; });
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
    return std::ranges::any_of(run_.threads, [](const thread_state& each) {
        const turn* const last = turn_of_loop(each);
        return last != nullptr && last->polls_clock;
    });
}

std::string standstill::words() const {
    if (!some_endless()) return "no thread can go on, and not all have finished";
    return "a thread goes on and on with plain accesses: there were more than " + std::to_string(most_accesses_);
}

violation_kind standstill::kind() const {
    const bool turning =
        std::ranges::any_of(run_.threads, [](const thread_state& each) { return turn_of_loop(each) != nullptr; });
    return turning || some_endless() ? violation_kind::livelock : violation_kind::deadlock;
}

}  // namespace ordeal::graph
