// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Condition variables, and locks that readers share.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/heap.hpp"

#include <algorithm>

namespace ordeal::graph {

namespace {

const char* how_it_woke(bool spurious, bool late) {
    if (late) return spurious ? "at its time limit" : "notified, at its time limit";
    return spurious ? "spuriously" : "";
}

}  // namespace

// A read-modify-write without an order of its own, on a condition variable.
void graph_memory::change(object& target, const read_request& how, site_id site) {
    complete(target, how, read_event(target, how, site), site);
}

// Whether a wait has ended without a notification, and begins again with the thread in the same state and nothing written
// in between: it may as well not have ended. Then `turn_begin` is where it began before.
bool graph_memory::waits_idly(const caller_state& caller, std::uintptr_t condition, site_id site,
                              const wait_limit& limit) {
    const harness_scope harness;
    thread_state& me = self();
    const bool passed = limit.when == wait_limit::kind::passed;
    const std::uint64_t state = hash_of(caller) ^ condition ^ (passed ? 1 : 2 * limit.distance);
    const waiting_visit now{site, state, me.done, me.next, clock(caller)};
    const auto comes_back_to = [&](const waiting_visit& before) {
        if (before.where != now.where || before.state != now.state || before.done != now.done) return false;
        if (!before.clock.alike(now.clock)) return false;
        for (std::size_t i = before.event; i < now.event; ++i) {
            const event& each = (*graph_)[me.path[i]];
            if (each.spurious && (each.wakes || each.kind == event_kind::fence)) return true;
        }
        return false;
    };
    const auto found = std::find_if(me.visits.rbegin(), me.visits.rend(), comes_back_to);
    const bool idle = found != me.visits.rend();
    if (idle) {
        me.turn_begin = found->event;
        me.polls_clock = passed && found->clock.stood_still(now.clock);
        met_.clock_bound |= me.polls_clock;
    }
    me.visits.push_back(now);
    return idle;
}

// The executions in which the thread goes on from here are those in which the wait had not ended before. But other threads
// go on, and what they write may have been there for the thread when it looked.
void graph_memory::wait_idly(location condition, const wait_limit& limit) {
    thread_state& me = self();
    me.condition = condition;
    // A turn that was not ended by the limit says nothing of one that is.
    block(limit.when == wait_limit::kind::none ? blocked_by::idle
          : me.woke_early > me.turn_begin      ? blocked_by::time
                                               : blocked_by::idle_for_a_time);
}

// Two threads that take two locks, each trying the other's and giving back its own, can go on so for ever. Every turn is
// another execution, so they are followed for a few.
void graph_memory::bound_lock_turns() {
    thread_state& me = self();
    me.try_lock_failed = false;
    if (me.turns_after.effects != me.done.effects || me.turns_after.writes != me.done.writes) me.lock_turns = 0;
    me.turns_after = me.done;
    if (++me.lock_turns <= most_lock_turns || !at_end(me)) return;
    met_.lock_bound = true;
    block(blocked_by::bound);
}

// Who waits already must wait with the same mutex ([thread.condition.condvar]). All operations on a condition variable are
// read-modify-writes, so those before this one are a chain.
void graph_memory::require_same_mutex(const seen_value& before, std::uintptr_t mutex, site_id site) {
    std::uint64_t waiting = before.value;
    for (event_id each = before.source; each != initial_write && waiting_threads(waiting) != 0;) {
        const event& write = (*graph_)[each];
        const auto begun = std::ranges::find(condition_waits_, each, &condition_wait_begun::write);
        if (begun != condition_waits_.end() && (waiting & waiting_bit(write.number)) != 0) {
            if (begun->mutex != mutex) {
                fail(violation_kind::precondition,
                     "a condition variable is waited on with another mutex than a thread that waits already", site);
            }
            waiting &= ~waiting_bit(write.number);
        }
        each = (*graph_)[state_of(write.number).path[write.index - std::size_t{1}]].source;
    }
    const thread_state& me = self();
    const harness_scope harness;
    condition_waits_.push_back({me.path[me.next - std::size_t{1}], mutex});
}

bool graph_memory::condition_wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex,
                                  site_id site, const wait_limit& limit) {
    enter();
    if (!holds(mutex)) {
        fail(violation_kind::precondition, "a condition variable is waited on with a mutex that is not held", site);
    }
    if (alone() && limit.when != wait_limit::kind::none) return true;  // nobody is there to notify
    if (alone()) fail(violation_kind::deadlock, "blocked during construction or finish()", site);
    leave_quiet();
    thread_state& me = self();
    const bool idle = waits_idly(caller, condition, site, limit);
    const deeds done = me.done;
    object& target = come_to(condition, object_kind::condition, true, site);
    const read_request begins{
        .what = read_request::form::modify, .change = modification::bit_or, .operand = waiting_bit(number_)};
    const seen_value before = read_event(target, begins, site);
    complete(target, begins, before, site);
    require_same_mutex(before, mutex, site);
    const location where = target.name_of;
    if (tracing_) record("wait", site, &target);
    unlock(mutex, site);
    if (idle && at_end(me)) wait_idly(where, limit);
    const read_request request{.what = read_request::form::wake_up, .number = number_, .limit = limit.when};
    object& same = come_to(condition, object_kind::condition, true, site);
    const seen_value seen = read_event(same, request, site);
    complete(same, request, seen, site);
    const bool late = limit.when == wait_limit::kind::passed || seen.variant != 0;
    if (seen.spurious && !late) me.woke_early = me.next;
    if (tracing_) record("wake up", site, &same)->note = how_it_woke(seen.spurious, late);
    lock(mutex, site);
    me.done = done;
    return late;
}

void graph_memory::condition_notify(std::uintptr_t condition, bool all, site_id site) {
    effect();
    object& target = come_to(condition, object_kind::condition, true, site);
    change(target,
           {.what = all ? read_request::form::notify_all : read_request::form::notify_one, .threads = &tree_.order()},
           site);
    if (tracing_) record(all ? "notify all" : "notify one", site, &target);
}

bool graph_memory::holds(std::uintptr_t mutex) {
    const object* const found = objects_.find(mutex);
    return found != nullptr && found->alive && found->owner == number_;
}

void graph_memory::lock_shared(std::uintptr_t mutex, site_id site) {
    enter();
    object& target = come_to(mutex, object_kind::mutex, true, site);
    change(target, {.what = read_request::form::lock_shared, .success = order::acquire}, site);
    locking();
    note_shared(mutex);
    if (tracing_) record("lock shared", site, &target);
}

// It may fail though no writer holds the lock ([thread.sharedmutex.requirements.general]).
bool graph_memory::try_lock_shared_for(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    object* const target =
        come_to_weak({{mutex, 1}, order::acquire, site}, object_kind::mutex, unlocked, one_reader, caller);
    if (target == nullptr) return false;
    const read_request request{.what = read_request::form::try_lock_shared,
                               .success = order::acquire,
                               .failure = order::relaxed,
                               .weak = true};
    const seen_value seen = read_event(*target, request, site);
    const bool locked = !seen.spurious && seen.value != locked_by_writer;
    if (locked) {
        complete(*target, request, seen, site);
        locking();
        note_shared(mutex);
    }
    if (tracing_) record("try lock shared", site, target)->note = locked ? "" : "fails";
    return locked;
}

void graph_memory::note_shared(std::uintptr_t mutex) {
    const harness_scope harness;
    self().shared_locks.push_back(mutex);
}

bool graph_memory::holds_shared(int number, std::uintptr_t mutex) const {
    return std::ranges::count(state_of(number).shared_locks, mutex) != 0;
}

void graph_memory::unlock_shared(std::uintptr_t mutex, site_id site) {
    locking();
    if (!holds_shared(number_, mutex)) fail(violation_kind::precondition, unlocked_by_others, site);
    self().shared_locks.erase(std::ranges::find(self().shared_locks, mutex));
    object& target = come_to(mutex, object_kind::mutex, true, site);
    const read_request request{.what = read_request::form::modify,
                               .success = order::release,
                               .change = modification::subtract,
                               .operand = one_reader};
    const seen_value seen = read_event(target, request, site);
    complete(target, request, seen, site);
    if (tracing_) record("unlock shared", site, &target);
}

}  // namespace ordeal::graph
