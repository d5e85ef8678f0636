// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/loops/loops.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ordeal::graph {

bool loops::is_loop_site(site_id site) {
    if (sites_.knows(site)) return true;
    const bool found = run_.self().yields >= yields_of_a_loop || reads_the_same_again(site);
    if (found) sites_.add(site);
    return found;
}

// The epoch from which on nobody else has known of more of the thread than at its oldest look.
std::uint16_t loops::first_loop_visit() const {
    const thread_state& me = run_.self();
    std::uint16_t events = me.loop_visits.front().event;
    while (events > 0 && (*run_.graph)[me.path[events - std::size_t{1}]].kind == event_kind::read) --events;
    return static_cast<std::uint16_t>(events + 1);
}

// Notes that the thread is here; returns the look before that it has come back to, or null. Taking its state is dear, so that
// begins where a loop may have come back.
const thread_fingerprint* loops::note_loop_visit(site_id site, const caller_state& caller,
                                                 std::span<const std::uint64_t> given) {
    const harness_scope harness;
    std::vector<thread_fingerprint>& visits = run_.self().loop_visits;
    const auto how_much = is_loop_site(site) ? thread_fingerprint::extent::all : thread_fingerprint::extent::place;
    visits.push_back(thread_fingerprints_.take(how_much, site, caller, given));
    if (how_much == thread_fingerprint::extent::all) {
        run_.self().compares = true;
        run_.self().since = first_loop_visit();
    }
    const std::span before(visits.data(), visits.size() - 1);
    return last_equal(before, visits.back(), [](const thread_fingerprint&) { return true; });
}

void loops::watch(const atomic_access& access, const caller_state& caller, std::uint64_t expected,
                  std::uint64_t desired) {
    operation_accounting_.enter();
    if (run_.single_threaded()) return;
    thread_state& me = run_.self();
    if (me.compares && access.where.size != 0) {
        const object* const target = run_.objects.find(access.where.address);
        run_.note_touched(target != nullptr && target->reads[run_.index()] < me.since);
    }
    const std::array given{std::uint64_t{access.where.address}, expected, desired};
    const thread_fingerprint* const before = note_loop_visit(access.site, caller, given);
    if (before == nullptr || !options_.reductions.loops || !run_.at_end(me)) return retries_.watch(caller, given);
    blocked_threads_.abandon_if_blocked_permanently(before->event);
    // An iteration for no reason but a spurious failure: the executions in which the thread goes on from here are those
    // without it. But other threads go on, and what they write may have been there for the thread when it looked.
    const auto spurious = [&](event_id id) { return (*run_.graph)[id].spurious; };
    if (std::any_of(me.path.begin() + before->event, me.path.end(), spurious))
        return scheduling_.block(blocked::by_bound{});
    const iteration last{before->event, before->clock.was_read_without_change(me.loop_visits.back().clock)};
    findings_.clock_bound |= last.polls_clock;
    scheduling_.block(blocked::by_loop{last});
}

// Where it has come to an operation that is noted, its memory is known.
void loops::note_suspended() {
    thread_state& me = run_.self();
    // Behind an accepted race, what a thread reads of others is no part of the graph alone.
    if (!me.compares || !options_.accept.empty()) return;
    me.compares = !me.loop_visits.empty();
    if (!me.compares) return;
    const thread_fingerprint& newest = me.loop_visits.back();
    const bool known = newest.taken == thread_fingerprint::extent::all && newest.event == me.next;
    me.suspended_memory = known ? newest.memory : thread_fingerprints_.memory();
    me.suspended_when = run_.resumed;
}

// What another thread has written in a turn of this one does not make the turn one with an effect. Say the thread went on from
// the look before, without the turn: either what it then reads is what it reads after the turn, or the write is not ordered
// before that, which is a race in an execution that is explored.
void loops::note_resumed() {
    thread_state& me = run_.self();
    if (!me.compares || me.suspended_when == run_.resumed) return;
    const std::uint64_t now = thread_fingerprints_.memory();
    for (thread_fingerprint& each : me.loop_visits) {
        if (each.taken == thread_fingerprint::extent::all && each.memory == me.suspended_memory) each.memory = now;
    }
}

// Whether the thread may have read the same value twice, the last two times that it was here with one and the same atomic:
// from one write, or from one of its own that put back what was there. In between it may have been here with others.
bool loops::reads_the_same_again(site_id site) {
    const thread_state& me = run_.self();
    const event* last = nullptr;
    for (auto each = me.loop_visits.rbegin(); each != me.loop_visits.rend(); ++each) {
        if (each->where != site) continue;
        const event& read = (*run_.graph)[me.path[each->event]];
        if (last == nullptr) {
            last = &read;
        } else if (read.where == last->where) {
            const bool own = last->rf != initial_write && (*run_.graph)[last->rf].thread_id == run_.thread_id;
            return own || read.rf == last->rf;
        }
    }
    return false;
}

void loops::note_read(event_id id, std::uint64_t value, site_id site) {
    const harness_scope harness;
    thread_state& me = run_.self();
    const event& read = (*run_.graph)[id];
    me.repeated.note(site, read, value, read.rf != initial_write && (*run_.graph)[read.rf].thread_id == run_.thread_id);
}

void loops::bound_iterations(std::uintptr_t address, site_id site) {
    const object* const known = run_.objects.find(address);
    if (known == nullptr) return;
    const thread_state& me = run_.self();
    const repeated_reads::entry turns = me.repeated.at(site, known->name_of);
    if (turns.count < (operation_accounting_.is_long() ? iterations_explored : iterations_followed)) return;
    scheduling_.block(blocked::by_iterations{turns.event, turns.count});
}

void loops::yield(site_id site) {
    operation_accounting_.enter();
    if (run_.alone()) return;
    run_.leave_single_threaded();
    operation_accounting_.step(site);
    recorder_.record(nullptr, site, nullptr);
    thread_state& me = run_.self();
    if (me.next != me.yielded_at) ++me.yields;  // it has looked at something since
    me.yielded_at = me.next;
    if (me.yields > most_yields && run_.at_end(me)) {
        findings_.loop_bound = true;
        scheduling_.block(blocked::by_bound{});
    }
}

void loops::time_out(site_id site) {
    thread_state& me = run_.self();
    ++me.time_outs;
    if (run_.alone()) return;
    run_.leave_single_threaded();
    operation_accounting_.step(site);
    if (me.speculated.active || me.time_outs <= most_time_outs || !run_.at_end(me)) return;
    if (strategy_->replays()) return;  // a livelock that is shown again
    findings_.time_bound = true;
    scheduling_.block(blocked::by_bound{});
}

std::optional<iteration> loops::is_idle_wait(const caller_state& caller, std::uintptr_t condition, site_id site,
                                             const wait_timeout& limit) {
    if (!options_.reductions.wake_ups) return std::nullopt;
    const harness_scope harness;
    thread_state& me = run_.self();
    const bool passed = limit.when == wait_timeout::kind::expired;
    const std::array given{std::uint64_t{condition}, std::uint64_t{passed}, passed ? 0 : limit.distance};
    // What others write meanwhile does not matter: whether the thread alone came back decides.
    const thread_fingerprint now = thread_fingerprints_.take(thread_fingerprint::extent::thread, site, caller, given);
    const auto ended_spuriously_since = [&](const thread_fingerprint& before) {
        return std::any_of(me.path.begin() + before.event, me.path.begin() + now.event, [&](event_id id) {
            const event& each = (*run_.graph)[id];
            return each.spurious && (each.wakes || each.kind == event_kind::fence);
        });
    };
    const thread_fingerprint* const found = last_equal(me.waits_begun, now, ended_spuriously_since);
    std::optional<iteration> idle;
    if (found != nullptr) {
        idle = iteration{found->event, passed && found->clock.was_read_without_change(now.clock)};
        findings_.clock_bound |= idle->polls_clock;
    }
    me.waits_begun.push_back(now);
    return idle;
}

// The executions in which the thread goes on from here are those in which the wait had not ended before. But other threads
// go on, and what they write may have been there for the thread when it looked.
void loops::block_on_idle_wait(const iteration& last, location condition, const wait_timeout& limit) {
    const blocked::by_idle_wait idly{last, condition, woken_bit(run_.thread_id)};
    if (limit.when == wait_timeout::kind::none) return scheduling_.block(idly);
    // An iteration that was not ended by the limit says nothing of one that is.
    if (run_.self().woke_spuriously_at > last.begin) return scheduling_.block(blocked::by_timed_wait{});
    scheduling_.block(blocked::by_idle_timed_wait{idly});
}

// Two threads that take two locks, each trying the other's and giving back its own, can go on so for ever. Every iteration is
// another execution, so they are followed for a few.
void loops::bound_lock_iterations() {
    thread_state& me = run_.self();
    me.try_lock_failed = false;
    if (me.iterations_after.effects != me.done.effects || me.iterations_after.writes != me.done.writes)
        me.lock_iterations = 0;
    me.iterations_after = me.done;
    if (++me.lock_iterations <= most_lock_iterations || !run_.at_end(me)) return;
    findings_.lock_bound = true;
    scheduling_.block(blocked::by_bound{});
}

}  // namespace ordeal::graph
