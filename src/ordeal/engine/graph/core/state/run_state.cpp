// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/state/run_state.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

bool run_state::acts_concurrently() noexcept {
    thread_state& me = self();
    me.newest_access = epoch();
    return std::ranges::any_of(order(), [&](int thread) {
        return thread != thread_id && me.fork_join_hb[static_cast<std::size_t>(thread)] < of(thread).newest_access;
    });
}

bool run_state::another_is_there() const noexcept {
    return std::ranges::any_of(order(), [&](int thread) { return thread != thread_id && of(thread).is_alive(); });
}

moment run_state::note_moment() {
    const harness_scope harness;
    const moment here{
        .thread = thread_id, .events = self().next, .noted = static_cast<std::uint32_t>(moments.size()) + 1};
    return moments.emplace_back(here, self().hb).when;
}

bool run_state::happens_before(const moment& earlier, const moment& later) const noexcept {
    if (earlier.thread == later.thread) return earlier.noted < later.noted;
    if (earlier.events == 0 || later.noted == 0 || later.noted > moments.size()) return false;
    const event_index last = earlier.events - 1;
    // Who knows the end of the thread that had the id before knows this one as well.
    if ((*graph)[of(earlier.thread).path[last]].kind() == event_kind::beginning) return false;
    return moments[later.noted - 1].hb.contains(static_cast<std::size_t>(earlier.thread), last);
}

bool run_state::some_future_read_is_open() const noexcept {
    if (!graph->future_reads) return false;
    for (std::size_t i = 0; i < graph->size(); ++i) {
        const event_id source = (*graph)[static_cast<event_id>(i)].future_source();
        if (source != initial_write && views[i].done && !views[source].done) return true;
    }
    return false;
}

int run_state::begun_threads() const noexcept {
    const auto begun = [&](int thread) { return of(thread).status != thread_status::absent; };
    return static_cast<int>(std::ranges::count_if(order(), begun)) + static_cast<int>(reused_ids.size());
}

int run_state::number_of(int thread) const noexcept {
    if (of(thread).predecessors == 0) return thread;
    const auto last = std::ranges::find(reused_ids.rbegin(), reused_ids.rend(), static_cast<std::uint8_t>(thread));
    return static_cast<int>(max_thread_ids) + static_cast<int>(reused_ids.rend() - last) - 1;
}

void run_state::run_without_others() noexcept {
    certification->run_without_others();
    before_others = true;
    put_all_before(thread_id);
}

void run_state::put_all_before(int thread) noexcept {
    view& known = of(thread).hb;
    for (int each = 0; each <= thread_ids->count(); ++each) known[static_cast<std::size_t>(each)] = max_events;
    changed[static_cast<std::size_t>(thread)] = true;
}

// From here on the bytes of an atomic hold what was written last, which need not be the co-maximal value.
void run_state::leave_single_threaded() noexcept {
    if (!before_others) return;
    before_others = false;
    if (runs_without_others()) return;  // the run is over
    for (std::size_t i = 0; i < objects.size(); ++i) objects[i].take_unseen_write();
}

void run_state::begin(execution_graph& whole) {
    graph = &whole;
    for (int thread = 0; thread <= thread_ids->count(); ++thread) {
        of(thread).begin(thread_ids->is_fixed(thread) ? thread_status::ready : thread_status::absent);
    }
    views.renew(whole.size());
    add_paths();
    objects.clear();
    constructed = {};
    freed.clear();
    notifications.clear();
    returned_waits.clear();
    condition_waits.clear();
    arrivals.clear();
    accepted.clear();
    moments.clear();
    reused_ids.clear();
    thread_id = main_thread_id;
    chosen = -1;
    passed_over = false;
    executed = snapshot_due = all_done_ = 0;
    given = whole.size();
    time = 0;
    time_came = 0;
    step = operations = operations_alone = 0;
    single_threaded_reads = 0;
    finishing = before_others = some_waited = elided_locks = accesses_in_loops = false;
    model.begin();
    changed.fill(true);
    executing = true;
}

void run_state::add_paths() {
    for (std::size_t id = 0; id < graph->size(); ++id) {
        of((*graph)[static_cast<event_id>(id)].thread_id).path.push_back(static_cast<event_id>(id));
    }
}

void run_state::save(snapshot& to) const {
    to.put(executed);
    to.put(model.some_seq_cst());
    to.put(constructed);
    freed.save(to);
    to.put(notifications);
    to.put(returned_waits);
    to.put(condition_waits);
    to.put(arrivals);
    to.put(moments);
    to.put(reused_ids);
    to.put(thread_id);
    to.put(step);
    to.put(operations);
    to.put(operations_alone);
    to.put(single_threaded_reads);
    to.put(before_others);
    to.put(some_waited);
    to.put(elided_locks);
    to.put(accesses_in_loops);
    if (!accepted.empty() || finishing) to.mark_incomplete();
}

void run_state::restore(snapshot& from) {
    from.take(executed);
    bool some_seq_cst = false;
    from.take(some_seq_cst);
    model.begin_with(some_seq_cst);
    from.take(constructed);
    freed.restore(from);
    from.take(notifications);
    from.take(returned_waits);
    from.take(condition_waits);
    from.take(arrivals);
    from.take(moments);
    from.take(reused_ids);
    from.take(thread_id);
    from.take(step);
    from.take(operations);
    from.take(operations_alone);
    from.take(single_threaded_reads);
    from.take(before_others);
    from.take(some_waited);
    from.take(elided_locks);
    from.take(accesses_in_loops);
    accepted.clear();
    finishing = false;
    executing = true;
}

void run_state::go_on_along(execution_graph& whole) {
    graph = &whole;
    given = whole.size();
    for (std::size_t id = executed; id < views.size(); ++id) views[id].renew();
    views.resize(whole.size());
    for (int thread = 0; thread <= thread_ids->count(); ++thread) of(thread).path.clear();
    add_paths();
    chosen = -1;
    passed_over = false;
    all_done_ = executed;
    // A thread at its frontier may have an event in this graph.
    for (const int thread : order()) {
        thread_state& each = of(thread);
        const bool stands = each.status == thread_status::frontier || each.status == thread_status::blocked;
        if (!stands || at_end(each)) continue;
        each.status = thread_status::ready;
        changed[static_cast<std::size_t>(thread)] = true;
    }
}

int run_state::thread_due() noexcept {
    // A thread that begins, or was rewound, runs to its next event first.
    if (std::ranges::any_of(order(), [&](int each) { return of(each).status == thread_status::ready; })) return -1;
    while (all_done_ < graph->size() && views[all_done_].done) ++all_done_;
    for (std::size_t i = all_done_; i < graph->size(); ++i) {
        const event& each = (*graph)[static_cast<event_id>(i)];
        const thread_state& by = of(each.thread_id);
        if (by.status != thread_status::awaiting_rf || by.next != each.index || views[i].done) continue;
        const bool reads = each.reads_event() && !each.is_future_read();
        if (!reads || views[each.read().rf].done) return each.thread_id;
    }
    return -1;
}

event_id run_state::notification_taken(event_id rf) const noexcept {
    const auto woken_at = [&](event_id write) {
        return write != initial_write && is_woken((*graph)[write].write().value, thread_id);
    };
    event_id each = rf;
    while (woken_at(each)) {
        const event_id before = read_before((*graph)[each]).read().rf;
        if (!woken_at(before)) return each;
        each = before;
    }
    return initial_write;
}

event_id run_state::redundant_wake_up_write(const thread_state& thread) const noexcept {
    constexpr std::size_t since_wake_up = wait_events::locks - wait_events::wakes_up;
    if (thread.next < since_wake_up) return initial_write;
    const event& woken = (*graph)[thread.path[thread.next - since_wake_up]];
    return woken.is_read() ? woken.read().redundant_wake_up_write : initial_write;
}

bool run_state::is_disabled(int thread) const noexcept {
    const auto& needed = of(thread).needed;
    if (!needed) return false;
    const event_id newest = graph->co_max(needed->where);
    if (newest != initial_write && newest == needed->blocking_write) return true;
    return waits_on(needed->what, newest == initial_write ? needed->initial : (*graph)[newest].write().value, thread);
}

const object* run_state::object_at(location where) const noexcept {
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].name_of == where) return &objects[i];
    }
    return nullptr;
}

bool run_state::may_go_on(const arrival& of) const noexcept {
    return of.thread_id != thread_id && of.returned != 0 && !self().hb.contains(of.thread_id, of.returned);
}

std::uint64_t run_state::arrived(location where, std::uint32_t phase) const noexcept {
    std::uint64_t sum = 0;
    for (const arrival& each : arrivals) sum += each.where == where && each.phase == phase ? each.count : 0;
    return sum;
}

bool run_state::has_joined(const thread_state& thread) const noexcept {
    if (thread.departures) return have_left(*thread.departures);
    const auto& awaited = thread.arrivals;
    return awaited ? arrived(awaited->where, awaited->phase) >= awaited->expected
                   : of(thread.joined).status == thread_status::finished;
}

bool run_state::have_left(location condition) const noexcept {
    const event_id last = graph->co_max(condition);
    return last == initial_write || (views[last].done && waiters_of((*graph)[last].write().value).woken.none());
}

event_index run_state::only_read_from(event_index events) const noexcept {
    while (events > 0 && (*graph)[self().path[events - std::size_t{1}]].is_read()) --events;
    return static_cast<event_index>(events + 1);
}

void run_state::note_first_access(memory_range where, access_kind kind) {
    thread_state& me = self();
    const harness_scope harness;
    me.first_accesses.push_back({where, kind});
    me.accesses_in_loops = accesses_in_loops = true;
    me.non_atomic_accesses_in_loops |= !kind.atomic;
}

}  // namespace ordeal::detail::graph
