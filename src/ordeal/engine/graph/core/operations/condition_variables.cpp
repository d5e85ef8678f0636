// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/condition_variables.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

namespace {

const char* how_it_woke(bool spurious, bool late) {
    if (late) return spurious ? "at its time limit" : "notified, at its time limit";
    return spurious ? "spuriously" : "";
}

}  // namespace

// Threads that already wait must have used the same mutex ([thread.condition.condvar]). All operations on a condition
// variable are read-modify-writes, so the ones before this are a chain.
void condition_variables::require_same_mutex(const seen_value& before, std::uintptr_t mutex, site_id site) {
    std::uint64_t waiting = before.value;
    for (event_id each = before.rf; each != initial_write && waiting_threads(waiting) != 0;) {
        const event& write = (*run_.graph)[each];
        const auto begun = std::ranges::find(run_.condition_waits, each, &condition_wait::write);
        if (begun != run_.condition_waits.end() && is_waiting(waiting, write.thread_id)) {
            if (begun->mutex != mutex) {
                run_end_.fail(violation_kind::precondition,
                              "a condition variable is waited on with another mutex than a thread that waits already",
                              site);
            }
            waiting = after_wake_up(waiting, write.thread_id);
        }
        each = run_.read_before(write).read().rf;
    }
    const thread_state& me = run_.self();
    const harness_scope harness;
    run_.condition_waits.push_back({me.path[me.next - std::size_t{1}], mutex});
}

bool condition_variables::wait(const caller_state& caller, std::uintptr_t condition, std::uintptr_t mutex, site_id site,
                               const wait_timeout& limit) {
    operation_accounting_.enter();
    if (!object_lifetimes_.holds(mutex)) {
        run_end_.fail(violation_kind::precondition, "a condition variable is waited on with a mutex that is not held",
                      site);
    }
    if (run_.on_main_thread() && limit.when != wait_timeout::kind::none) {  // no other thread can notify
        sleeps_.come_to(limit);
        return true;
    }
    if (run_.on_main_thread()) run_end_.fail(violation_kind::deadlock, "blocked during construction or finish()", site);
    run_.leave_single_threaded();
    run_.some_waited = true;
    ++run_.self().waits_made;
    thread_state& me = run_.self();
    const auto idle = reductions_.at_wait({caller, condition, site, limit, true});
    const thread_effects done = me.done;
    object& target = memory_.begin_operation(condition, object_kind::condition, memory_access::update, site);
    const read_request begins{.what = read_request::form::modify,
                              .change = modification::bit_or,
                              .begins_wait = true,
                              .thread_id = run_.thread_id};
    const seen_value before = memory_.read_event(target, begins, site);
    memory_.complete(target, begins, before, site);
    require_same_mutex(before, mutex, site);
    const location where = target.name_of;
    recorder_.record("wait", site, &target);
    locks_.unlock(mutex, site, "unlock");
    const bool undone = idle && (!idle->undone_from || zero_net_effect(run_, me, *idle->undone_from).holds());
    if (undone && run_.at_end(me)) {
        const bool goes_on = limit.when != wait_timeout::kind::none;
        block_in_repeated_wait({*idle, where, goes_on});
    }
    const wait_timeout::kind comes = sleeps_.await(target, read_request::form::wake_up, limit, site);
    const read_request request{.what = read_request::form::wake_up, .thread_id = run_.thread_id, .limit = comes};
    object& same = memory_.begin_blocking_operation(condition, object_kind::condition, request, site);
    const seen_value seen = memory_.read_event(same, request, site);
    memory_.complete(same, request, seen, site);
    const bool late = comes == wait_timeout::kind::expired || seen.variant != 0;
    if (seen.spurious && !late) me.woke_spuriously_at = me.next;
    recorded_step step = recorder_.record("wake up", site, &same).note(how_it_woke(seen.spurious, late));
    const event_id notification = recorder_.on() ? run_.notification_taken(seen.rf) : initial_write;
    if (notification != initial_write) step.woken_by(run_.views[notification].step);
    locks_.lock(mutex, site, "lock");
    me.done = me.newest_lock.done = done;
    return late;
}

void condition_variables::notify(std::uintptr_t condition, bool all, site_id site) {
    operation_accounting_.effect();
    object& target = memory_.begin_operation(condition, object_kind::condition, memory_access::update, site);
    change(target,
           {.what = all ? read_request::form::notify_all : read_request::form::notify_one, .threads = &run_.order()},
           site);
    recorder_.record(all ? "notify_all" : "notify_one", site, &target);
}

void condition_variables::await_departures(std::uintptr_t condition) {
    operation_accounting_.effect();
    const object* const target = run_.objects.find(condition);
    if (run_.single_threaded() || run_.on_main_thread() || target == nullptr || !target->alive) return;
    if (target->kind != object_kind::condition) return;
    thread_state& me = run_.self();
    me.departures = target->name_of;
    if (!run_.has_joined(me)) scheduling_points_.await_join();
    me.departures.reset();
}

}  // namespace ordeal::detail::graph
