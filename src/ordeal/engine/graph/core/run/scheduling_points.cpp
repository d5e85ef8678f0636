// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/scheduling_points.hpp"

#include "ordeal/engine/engine.hpp"
#include "ordeal/runtime/execution.hpp"

namespace ordeal::detail::graph {

bool scheduling_points::await_schedule(const pending_operation& next) {
    leave_section();
    thread_state& me = run_.self();
    me.next_operation = next;
    if (!run_.at_end(me)) {
        await_turn();
        return false;
    }
    // The next thread depends on the co-maximal writes: those that blocked threads wait for, and its own.
    if (me.needed || run_.passed_over || run_.snapshot_due <= run_.executed) run_.chosen = -1;
    while (run_.chosen != run_.thread_id) {
        me.status = thread_status::frontier;
        fibers_.suspend();
        if (!run_.at_end(me)) {
            me.halfway = false;
            await_turn();
            return false;
        }
    }
    // The leftmost thread stays the leftmost; a thread that was only completing an operation may not be it.
    if (run_.strategy->samples() || me.halfway) run_.chosen = -1;
    me.halfway = false;
    return true;
}

bool scheduling_points::take_snapshot() {
    snapshot_requested_ = true;
    fibers_.suspend();
    detail::code_on_trial_runs = false;
    return !std::exchange(run_.self().resumed_from_snapshot, false);
}

void scheduling_points::await_turn() {
    if (!run_.in_order) return;
    if (due_when_ == run_.resumed && due_behind_ == run_.executed) return;  // it was just found to be due
    run_.self().status = thread_status::awaiting_rf;
    while (run_.thread_due() != run_.thread_id) fibers_.suspend();
    due_when_ = run_.resumed;
    due_behind_ = run_.executed;
}

void scheduling_points::await_rf(site_id site) {
    thread_state& me = run_.self();
    const event& next = (*run_.graph)[me.path[me.next]];
    if (!next.is_read()) run_end_.diverge("another operation than before", site);
    await_turn();
    while (next.read().rf != initial_write && !next.is_future_read() && !run_.views[next.read().rf].done) {
        me.awaited = next.read().rf;
        me.status = thread_status::awaiting_rf;
        fibers_.suspend();
    }
}

void scheduling_points::await_write(event_id write) {
    thread_state& me = run_.self();
    while (!run_.views[write].done) {
        me.awaited = write;
        me.status = thread_status::awaiting_rf;
        fibers_.suspend();
    }
}

void scheduling_points::await_join() {
    leave_section();
    thread_state& me = run_.self();
    while (!run_.has_joined(me)) {
        me.status = thread_status::joining;
        fibers_.suspend();
    }
}

void scheduling_points::block(const block_reason& why) {
    leave_section();
    thread_state& me = run_.self();
    me.why = why;
    me.status = thread_status::blocked;
    fibers_.suspend();
    me.status = thread_status::ready;
    me.went_on_at = run_.time_came;
    me.yields = me.time_outs = 0;
}

// An execution of thousands of operations with revisits may exceed any time limit. Its graph so far can be resumed
// like any other, as no thread is in the middle of an operation here. Each run adds a minimum of events, so that the
// search makes progress in any case.
void scheduling_points::look_at_clock() {
    constexpr unsigned added_in_any_time = 200;
    if (!run_.strategy->explores() || ++added_ <= added_in_any_time || run_.self().speculated.active) return;
    const harness_scope harness;  // the clock of code on trial is another one
    if (!stop_requested() && std::chrono::steady_clock::now() < leave_at_) return;
    run_.strategy->put_back(*run_.graph);
    run_end_.abandon();
}

}  // namespace ordeal::detail::graph
