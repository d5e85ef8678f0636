// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/wake_ups/redundant_wake_ups.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <array>

namespace ordeal::detail::graph {

// Emits the graph without the lock, in which the thread has to wait for the next write to the mutex. Whatever other
// threads do meanwhile, they also do in the executions in which the wait goes on.
void redundant_wake_ups::take_lock_back(event_index wait) {
    const thread_state& me = run_.self();
    const event_id wakes_up = me.path[wait + wait_events::wakes_up];
    const event_id lock = me.path[wait + wait_events::locks];
    if (lock < run_.given) return;
    const harness_scope harness;
    const event_id with = (*run_.graph)[lock].read().rf;
    run_.graph->remove_last();
    run_.graph->remove_last();
    (*run_.graph)[wakes_up].read().redundant_wake_up_write = with;
    if (somebody_else_goes_on((*run_.graph)[wakes_up].where)) run_.strategy->emit(*run_.graph);
}

// Whether another thread may do something while this one waits: only then may somebody write to the mutex. Who waits on
// the same condition variable may wake up spuriously, but that is a write to it: this thread may as well wake up after
// it.
bool redundant_wake_ups::somebody_else_goes_on(location condition) const {
    return std::ranges::any_of(run_.order(), [&](int thread_id) {
        if (thread_id == run_.thread_id) return false;
        const thread_state& other = run_.of(thread_id);
        switch (other.status) {
            case thread_status::finished:
            case thread_status::absent: return false;
            case thread_status::joining: return run_.has_joined(other);
            // Whose last iteration was observed halfway goes on where nothing else can happen.
            case thread_status::blocked: return zero_net_effect::undone_from(other).has_value();
            case thread_status::frontier:
                return !run_.is_disabled(thread_id) ||
                       (may_end_spuriously(other.needed->what) && other.needed->where != condition);
            case thread_status::ready:
            case thread_status::awaiting_rf: break;
        }
        return true;
    });
}

// Between the two waits the thread has only locked the mutex, and accessed what it accessed before the first one, since
// it took the mutex; memory holds what it held. So whenever its lock reads from this write, the thread comes back here;
// and who races with an access that it makes has raced with it before.
void redundant_wake_ups::end_redundant_wake_up(const iteration& last) {
    const thread_state& me = run_.self();
    if (!options_.reductions.waiting || !run_.strategy->explores() || !run_.at_end(me)) return;
    if (me.next != last.begin + wait_events::count || me.after_wake_up.new_at > last.begin) return;
    const event& woken = at(last.begin + wait_events::wakes_up);
    if (!woken.is_spurious() || !woken.is_read() || !woken.read().wakes) return;
    take_lock_back(last.begin);
    run_end_.abandon();
}

// What the thread has accessed since the wait that has these events first. Who enters the wait and gives its mutex back
// does so before the iteration, too.
void redundant_wake_ups::note_left_out(event_index wait, bool on_condition) {
    const woken_accesses& all = run_.self().after_wake_up;
    pruned_accesses& noted = search_facts_.pruned_accesses;
    const auto before = static_cast<event_index>(wait + (on_condition ? wait_events::wakes_up : 0));
    noted.pruned.too_many |= all.too_many;
    for (const auto& [what, events] : all.all) {
        if (events > wait) noted.pruned.add({run_.thread_id, what.where.address, what.where.size, what.kind, before});
    }
}

std::optional<iteration> redundant_wake_ups::at_wait(const wait_point& at) {
    const harness_scope harness;
    thread_state& me = run_.self();
    const bool passed = at.limit.when == wait_timeout::kind::expired;
    const std::array given{std::uint64_t{at.condition}, std::uint64_t{passed}, passed ? 0 : at.limit.distance};
    // What others write meanwhile does not matter: whether the thread alone came back decides.
    thread_fingerprint now = thread_fingerprints_.take(thread_fingerprint::extent::thread, at.site, at.caller, given);
    if (me.since_wait.are_restored(me.done.writes)) me.undone_writes += me.done.writes - me.since_wait.begun_with();
    now.done.writes -= me.undone_writes;
    // A notification that ended one of the waits in between would have gone to another thread.
    const auto all_ended_spuriously_since = [&](const wait_beginning& before) {
        const auto waits = &me.waits_begun.back() + 1 - &before;
        const auto ended =
            std::count_if(me.path.begin() + before.state.event, me.path.begin() + now.event, [&](event_id id) {
                const event& each = (*run_.graph)[id];
                return each.is_spurious() && (!each.is_read() || each.read().wakes);
            });
        return ended == waits;
    };
    // Another write may be placed before a store yet, so one is no effect only while nobody sees what it replaces.
    const auto stored_since = [&](const wait_beginning& before) {
        return std::any_of(me.path.begin() + before.state.event, me.path.begin() + now.event, [&](event_id id) {
            const event& each = (*run_.graph)[id];
            const object* const of = run_.object_at(each.where);
            return each.is_write() && !each.is_rmw() && of != nullptr && of->kind == object_kind::atomic;
        });
    };
    const bool may_write = at.releases_mutex;
    const auto found = std::find_if(me.waits_begun.rbegin(), me.waits_begun.rend(), [&](const auto& before) {
        return (may_write ? now.is_in_state_of(before.state)
                          : now.has_come_back_to(before.state) && !stored_since(before)) &&
               all_ended_spuriously_since(before);
    });
    std::optional<iteration> idle;
    if (found != me.waits_begun.rend()) {
        const thread_fingerprint& before = found->state;
        idle = iteration{before.event, passed && before.clock.was_read_without_change(now.clock)};
        // What it has written since the wake-up. Entering the wait and giving the mutex back are not undone.
        if (may_write) {
            const bool writes = !now.has_come_back_to(before) || stored_since(*found);
            idle->undone_from =
                writes ? std::optional(static_cast<event_index>(before.event + wait_events::wakes_up)) : std::nullopt;
        }
        search_facts_.clock_bound |= idle->polls_clock;
        note_left_out(before.event, at.releases_mutex);
    }
    me.waits_begun.push_back({now, passed});
    me.since_wait = old_values(me.done.writes);
    me.waited_from = run_.only_read_from(me.next);
    const bool has_limit = at.limit.when != wait_timeout::kind::none;
    if (idle && may_write && !has_limit && !idle->undone_from) end_redundant_wake_up(*idle);
    return idle;
}

// Whether nobody but the running thread has noticed the notification that this read takes.
bool redundant_wake_ups::is_for_nobody_else(const event& woken) const {
    const read_data& read = run_.read_before((*run_.graph)[run_.notification_taken(woken.read().rf)]).read();
    return read.form == read_form::notify_all || waiting_threads((*run_.graph)[read.rf].write().value) == 1;
}

// Whether what the thread has done since it took its lock made it known to somebody that memory was freed, which may be
// given again then: only in that case can more ordering allow more behaviour.
bool redundant_wake_ups::tells_of_freed_memory(event_index wait, const iteration_start& earlier) const {
    const thread_state& me = run_.self();
    const event_id unlock = me.path[wait + wait_events::unlocks];
    if (run_.freed.known_to(run_.thread_id, run_.views[unlock].hb) != earlier.state.freed) return true;
    const event_id before = (*run_.graph)[me.path[earlier.state.event - std::size_t{2}]].read().rf;
    for (std::size_t i = 0; i < run_.graph->size(); ++i) {
        const event& each = (*run_.graph)[static_cast<event_id>(i)];
        if (!each.reads_from(unlock) || each.thread_id == run_.thread_id) continue;
        view with_wait = run_.views[i].hb_before_acquire;
        view otherwise = with_wait;
        with_wait.join(run_.views[unlock].message_view);
        if (before != initial_write) otherwise.join(run_.views[before].message_view);
        if (run_.freed.known_to(each.thread_id, with_wait) != run_.freed.known_to(each.thread_id, otherwise))
            return true;
    }
    return false;
}

// Whether these are the events of a wait that had no limit, or did not come to it.
bool redundant_wake_ups::is_wait(event_index begin) const {
    const event& entered = at(begin + wait_events::enters + 1);
    const event& woken = at(begin + wait_events::wakes_up);
    return entered.is_write() && entered.write().of_waiters && woken.is_read() &&
           woken.read().form == read_form::wake_up && woken.read().variant == 0 &&
           !run_.self().waits_begun.back().limit_is_over;
}

// The wait from which the thread comes, if all that it has done between the two starts is to read and to wait.
std::optional<event_index> redundant_wake_ups::only_wait(const iteration_start& earlier,
                                                         const iteration_start& now) const {
    const thread_state& me = run_.self();
    const event_index first = earlier.state.event;
    if (me.next < first + wait_events::count || now.waits_made != earlier.waits_made + 1) return std::nullopt;
    const auto wait = static_cast<event_index>(me.next - wait_events::count);
    if (!is_wait(wait) || at(wait + wait_events::locks).where != at(first - std::size_t{1}).where) return std::nullopt;
    const bool reads = std::all_of(me.path.begin() + first, me.path.begin() + wait,
                                   [&](event_id id) { return (*run_.graph)[id].is_read(); });
    const thread_effects& before = earlier.state.done;
    const thread_effects& done = now.state.done;
    const bool has_no_effect =
        done.effects == before.effects && done.locks == before.locks && done.writes == before.writes;
    return reads && has_no_effect && now.state.clock.looked == 0 ? std::optional(wait) : std::nullopt;
}

reduction::action redundant_wake_ups::after_wait(const iteration_start& earlier, const iteration_start& now,
                                                 blocking& blocking) {
    const bool decides = enabled() && options_.reductions.waiting && run_.strategy->explores();
    // After an accepted race, what is read may depend on the schedule.
    if (!decides || !options_.accept.empty() || !run_.at_end(run_.self())) return action::goes_on;
    const harness_scope harness;
    if (might_have_come_later(earlier, now)) return action::abandons;
    if (!might_have_ended_elsewhere()) return action::goes_on;
    blocking.why = blocked::by_pruning{};
    return action::blocks;
}

// Whether the thread may as well have come to its lock only after the wait.
bool redundant_wake_ups::might_have_come_later(const iteration_start& earlier, const iteration_start& now) {
    const thread_state& me = run_.self();
    if (!now.state.is_thread_of(earlier.state)) return false;
    const start_behind_lock& first = me.start_behind_lock;
    const bool is_there = first.lock.after != 0 && first.lock.after == earlier.state.event;
    if (!is_there || first.lock.hash_of_reads() != first.reads) return false;
    // Where it comes later, it reads what it read between its lock and the header, and no more.
    if (!me.newest_lock.only_reads || !first.lock.has_all_reads_of(me.newest_lock)) return false;
    const std::optional<event_index> wait = only_wait(earlier, now);
    if (!wait) return false;
    const event& woken = at(*wait + wait_events::wakes_up);
    if (!woken.is_spurious() && !is_for_nobody_else(woken)) return false;
    if (tells_of_freed_memory(*wait, earlier)) return false;
    // Whether the thread comes back here, unnoticed, may depend on when it takes the lock.
    constexpr int nobody = -1;
    const bool always = first.lock.count == 0 && first.lock.writes_to_stack == me.writes_to_stack &&
                        run_.freed.known_to(nobody, run_.views[me.path[*wait + wait_events::unlocks]].hb) == 0;
    if (!woken.is_spurious() || !always) take_lock_back(*wait);
    return true;
}

// Whether the wait, where it is the last that the thread has done, may as well have ended otherwise: a notification
// from before the thread's lock would have ended it, if it had not ended spuriously before; or others have done
// something with the condition variable between the notification and the wake-up, except that they were woken as well.
bool redundant_wake_ups::might_have_ended_elsewhere() const {
    const thread_state& me = run_.self();
    if (me.next < wait_events::count) return false;
    const auto wait = static_cast<event_index>(me.next - wait_events::count);
    if (!is_wait(wait)) return false;
    const event& woken = at(wait + wait_events::wakes_up);
    const event& left = at(wait + wait_events::wakes_up + 1);
    const auto some_change = [&](const auto& condition) {
        return std::ranges::any_of(run_.graph->events(), [&](const event& each) {
            return each.where == left.where && each.is_rmw() && condition(each, run_.read_before(each).read());
        });
    };
    if (woken.is_spurious()) {
        const view& before_lock = run_.views[me.path[wait + wait_events::locks]].porf;
        return some_change([&](const event& each, const read_data& read) {
            if (each.write().co < left.write().co || !before_lock.contains(each)) return false;
            const bool found_nobody =
                read.form == read_form::notify_one && waiting_threads((*run_.graph)[read.rf].write().value) == 0;
            return read.form == read_form::notify_all || found_nobody;
        });
    }
    const coherence_position notified = (*run_.graph)[run_.notification_taken(woken.read().rf)].write().co;
    return some_change([&](const event& each, const read_data& read) {
        const bool is_between = each.write().co > notified && each.write().co < left.write().co;
        return is_between && (read.form != read_form::wake_up || read.spurious);
    });
}

}  // namespace ordeal::detail::graph
