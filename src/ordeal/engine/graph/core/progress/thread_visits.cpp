// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/progress/thread_visits.hpp"

#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace ordeal::detail::graph {

bool thread_visits::is_loop_site(site_id site) {
    if (sites_.knows(site)) return true;
    const bool found = run_.self().yields >= yields_of_a_loop || reads_the_same_again(site);
    if (found) sites_.add(site);
    return found;
}

// From the oldest visit on, and the reads before it: no other thread knows of anything that this one did later.
void thread_visits::note_since() {
    thread_state& me = run_.self();
    event_index oldest = me.loop_visits.empty() ? me.next : me.loop_visits.front().event;
    if (!me.iteration_starts.empty()) oldest = std::min(oldest, me.iteration_starts.front().state.event);
    me.since = run_.only_read_from(oldest);
    me.only_reads_since = run_.only_read_from(me.next);
}

// Notes that the thread is here; returns the earlier visit that it has come back to, or null. A fingerprint is costly,
// so one is taken only where a loop may have come back.
const thread_fingerprint* thread_visits::note_visit(site_id site, const caller_state& caller,
                                                    std::span<const std::uint64_t> given) {
    const harness_scope harness;
    std::vector<thread_fingerprint>& visits = run_.self().loop_visits;
    const auto how_much = is_loop_site(site) ? thread_fingerprint::extent::all : thread_fingerprint::extent::none;
    visits.push_back(thread_fingerprints_.take(how_much, site, caller, given));
    if (how_much == thread_fingerprint::extent::all) {
        run_.self().compares = run_.self().compares_memory = true;
        note_since();
    }
    const std::span before(visits.data(), visits.size() - 1);
    return last_equal(before, visits.back());
}

void thread_visits::watch(const atomic_access& access, const caller_state& caller, std::uint64_t expected,
                          std::uint64_t desired) {
    operation_accounting_.enter();
    if (run_.single_threaded()) return;
    thread_state& me = run_.self();
    if (me.notes_accesses() && access.where.size != 0) {
        const object* const target = run_.objects.find(run_.mixed_sizes->of(access.where).object.address);
        run_.note_touched(access.where, {false, true},
                          [&](event_index since) { return target == nullptr || target->reads[run_.index()] >= since; });
    }
    me.iteration_starts.note_first_operation(me.next, me.done.touched_again);
    const std::array given{std::uint64_t{access.where.address}, expected, desired};
    const operation_point at{caller, given, note_visit(access.site, caller, given)};
    blocking blocking;
    const reduction::action action = reductions_.at_operation(at, blocking);
    obey(action, blocking);
}

// With as much of the state as it pays to compare.
iteration_start thread_visits::make_start(const loop_header& header, const code_location& at,
                                          const iteration_start* previous) {
    using extent = thread_fingerprint::extent;
    thread_state& me = run_.self();
    const unsigned iteration = previous == nullptr ? 0 : previous->iteration + 1;
    const bool known = sites_.knows_header(at.address);
    const bool with_memory =
        header.changes_memory && (known || (iteration < spinloop_sites::most_iterations_compared_elsewhere &&
                                            me.starts_compared < spinloop_sites::most_starts_compared_elsewhere));
    if (with_memory && !known) ++me.starts_compared;
    iteration_start start{
        header.frame, header.loop,   thread_fingerprints_.take(with_memory ? extent::all : extent::thread, header),
        iteration,    me.waits_made, me.first_accesses.size()};
    start.same_since =
        previous != nullptr && start.state.has_done_nothing_since(previous->state) ? previous->same_since : me.next;
    if (header.changes_memory && !with_memory) start.state.taken = extent::none;
    return start;
}

void thread_visits::push_start(const iteration_start& start) {
    thread_state& me = run_.self();
    me.since_header = start.state.since_header;
    me.iteration_starts.push_back(start);
    me.note_start_at(me.next);
    me.compares = true;
    me.compares_memory |= start.state.taken == thread_fingerprint::extent::all;
    note_since();
}

// Returns the newest start in the same state, or null.
const iteration_start* thread_visits::note_start(const loop_header& header, const code_location& at) {
    const harness_scope harness;
    thread_state& me = run_.self();
    iteration_starts& starts = me.iteration_starts;
    starts.leave_calls_from(header.frame);
    if (header.enters) starts.leave_loop(header.frame, header.loop);
    const iteration_start* const previous = starts.newest_of(header.frame, header.loop);
    const iteration_start now = make_start(header, at, previous);
    const bool has_waited = previous != nullptr && previous->waits_made != now.waits_made;
    if (has_waited) decide_after_wait(*previous, now);
    if (is_behind_lock()) me.start_behind_lock = {me.newest_lock, me.newest_lock.hash_of_reads()};
    // What an iteration did is not undone later.
    if (has_waited || (previous != nullptr && !zero_net_effect(run_, me, previous->state.event).holds()))
        starts.leave_loop(header.frame, header.loop);
    push_start(now);
    bool repeats = false;
    const iteration_start* const found = starts.last_is_again([&](const iteration_start& each) {
        repeats = true;
        return now.state.is_in_state_of(each.state);
    });
    if (repeats && header.changes_memory && !header.enters) sites_.add_header(at.address);
    return found;
}

void thread_visits::decide_after_wait(const iteration_start& previous, const iteration_start& now) {
    blocking blocking;
    const reduction::action action = reductions_.after_wait(previous, now, blocking);
    if (action == reduction::action::abandons) note_pruned(previous);
    obey(action, blocking);
}

// Whether the running thread has just taken a lock, and has done nothing since but read a little.
bool thread_visits::is_behind_lock() const noexcept {
    const thread_state& me = run_.self();
    const lock_taken& lock = me.newest_lock;
    return lock.after != 0 && lock.after == me.next && lock.only_reads && lock.done.effects == me.done.effects &&
           lock.done.writes == me.done.writes;
}

void thread_visits::begin_iteration(const loop_header& header, const code_location& at) {
    thread_state& me = run_.self();
    if (run_.single_threaded()) return;
    if (me.speculated.active) {
        const harness_scope harness;
        me.since_header = thread_fingerprints_.take(thread_fingerprint::extent::thread, header).since_header;
        return;
    }
    if (const iteration_start* const earlier = note_start(header, at)) decide(*earlier);
}

void thread_visits::decide(const iteration_start& earlier) {
    const thread_state& me = run_.self();
    const iteration_start& now = me.iteration_starts.back();
    blocking blocking;
    const reduction::action action = reductions_.at_iteration({earlier.state, now.state, now.same_since}, blocking);
    if (action == reduction::action::blocks) note_pruned(earlier);
    obey(action, blocking);
}

void thread_visits::note_pruned(const iteration_start& earlier) {
    const harness_scope harness;
    const thread_state& me = run_.self();
    for (std::size_t i = earlier.first_accesses; i < me.first_accesses.size(); ++i) {
        const noted_access& each = me.first_accesses[i];
        search_facts_.pruned_accesses.pruned.add(
            {run_.thread_id, each.where.address, each.where.size, each.kind, earlier.state.event});
    }
}

void thread_visits::obey(reduction::action action, const blocking& blocking) {
    if (action == reduction::action::goes_on) return;
    if (action == reduction::action::abandons || reductions_.abandons_blocked(blocking)) run_end_.abandon();
    if (const auto* const loop = std::get_if<blocked::by_spinloop>(&blocking.why))
        search_facts_.clock_bound |= loop->last.polls_clock;
    scheduling_points_.block(blocking.why);
}

// At a visit with a fingerprint the memory is known.
void thread_visits::note_suspended() {
    thread_state& me = run_.self();
    // Behind an accepted race, what a thread reads of others is no part of the graph alone.
    if (!me.compares || !options_.accept.empty()) return;
    me.compares = !me.loop_visits.empty() || !me.iteration_starts.empty();
    me.compares_memory &= me.compares;
    if (!me.compares_memory) return;
    const auto known = known_memory();
    me.suspended_memory = known ? *known : thread_fingerprints_.memory();
    me.suspended_when = run_.resumed;
}

std::optional<std::uint64_t> thread_visits::known_memory() const {
    const thread_state& me = run_.self();
    if (me.loop_visits.empty()) return std::nullopt;
    const thread_fingerprint& newest = me.loop_visits.back();
    if (newest.taken != thread_fingerprint::extent::all || newest.event != me.next) return std::nullopt;
    return newest.memory;
}

// A write by another thread during an iteration is no effect of the iteration. If the thread went on from the earlier
// visit, without the iteration, it would either read what it reads after the iteration, or race with the write in an
// execution that is explored.
void thread_visits::note_resumed() {
    thread_state& me = run_.self();
    if (!me.compares_memory || me.suspended_when == run_.resumed) return;
    const std::uint64_t now = thread_fingerprints_.memory();
    for (thread_fingerprint& each : me.loop_visits) each.bring_up_to_date(me.suspended_memory, now);
    me.iteration_starts.bring_up_to_date(me.suspended_memory, now);
}

// Whether the thread may have read the same value twice, the last two times that it was here with one and the same
// atomic: from one write, or from one of its own that put back what was there. In between it may have been here with
// others.
bool thread_visits::reads_the_same_again(site_id site) {
    const thread_state& me = run_.self();
    const event* last = nullptr;
    for (auto each = me.loop_visits.rbegin(); each != me.loop_visits.rend(); ++each) {
        if (each->where != site) continue;
        const event& read = (*run_.graph)[me.path[each->event]];
        if (last == nullptr) {
            last = &read;
        } else if (read.where == last->where) {
            const bool own = last->reads_event() && (*run_.graph)[last->read().rf].thread_id == run_.thread_id;
            return own || read.rf() == last->rf();
        }
    }
    return false;
}

}  // namespace ordeal::detail::graph
