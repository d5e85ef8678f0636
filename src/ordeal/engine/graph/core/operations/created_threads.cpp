// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/created_threads.hpp"

#include "ordeal/engine/execution/code_on_trial.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace ordeal::detail::graph {

void created_threads::run_created(void* self, int thread_id) {
    auto& me = *static_cast<created_threads*>(self);
    thread_state& thread = me.run_.of(thread_id);
    if (thread.predecessors != 0) me.begin_reusing_id();
    guarded([&] { thread.body(thread.argument); });
    guarded([] { instrumented().finish_thread(); });
    me.finish();
}

// Whether a thread that ended before this point has revealed its id to the code on trial, so that the new one could
// reuse it.
bool created_threads::could_have_id_of_another() const noexcept {
    const view& hb = run_.of(run_.thread_id).hb;
    return std::ranges::any_of(run_.order(), [&](int thread_id) {
        const thread_state& each = run_.of(thread_id);
        return each.asked_id && each.status == thread_status::finished &&
               hb[static_cast<std::size_t>(thread_id)] > each.next;
    });
}

// A creation is an event: what precedes it in its thread, and nothing after it, happens before the new thread.
int created_threads::create(void (*body)(void*), void* argument, site_id site) {
    if (run_.on_main_thread()) run_end_.refuse("a thread created during construction or finish() of a scenario", site);
    operation_accounting_.effect();
    run_.leave_single_threaded();
    thread_state& me = run_.self();
    scheduling_points_.await_schedule();
    operation_accounting_.step(site);
    const event_id id = memory_.next_event(me, event_kind::creation, site);
    event& made = (*run_.graph)[id];
    const int thread_id = thread_for(made, site);
    made.creation().created = static_cast<std::uint64_t>(thread_id);
    search_facts_.id_bound |= could_have_id_of_another();
    made.using_order = order::release;
    memory_.finish_without_access(me, id, site);
    const auto index = static_cast<std::size_t>(thread_id);
    thread_state& child = run_.of(thread_id);
    if (me.joined_ids[index]) {
        me.joined_ids.reset(index);
        child.begin_reusing_id();
        const harness_scope harness;
        run_.reused_ids.push_back(static_cast<std::uint8_t>(thread_id));
    } else {
        ++me.created;
        if (child.status == thread_status::absent && child.path.empty()) child.begin(thread_status::ready);
        child.status = thread_status::ready;
    }
    run_.changed[index] = true;
    child.hb = me.hb;
    child.hb[index] = child.next;  // the creator knows of the end of the thread before, too
    child.porf = me.porf;
    child.acq = child.rel = {};
    child.fork_join_hb = me.fork_join_hb;
    child.fork_join_hb[run_.index()] = me.hb[run_.index()];
    child.body = body;
    child.argument = argument;
    if (run_.observer != nullptr) run_.observer->created((*run_.graph)[id].index, thread_id);
    if (run_.in_order) run_.chosen = -1;  // the new thread first runs to its first event
    fibers_.start(thread_id, &run_created, this, floating_point::here());
    recorder_.record("create thread", site, nullptr)
        .note("thread ", static_cast<std::uint64_t>(run_.number_of(thread_id)));
    return thread_id - 1;
}

// The thread that an event creates. One that is created anew is a function of what its creator has done.
int created_threads::thread_for(const event& creation, site_id site) {
    const thread_state& me = run_.self();
    const auto before = static_cast<int>(creation.creation().created);
    if (before != 0) {
        const bool follows = me.joined_ids[static_cast<std::size_t>(before)];
        if (!follows && before != tree_.created_by(run_.thread_id, me.created))
            run_end_.diverge("another thread is created than before", site);
        return before;
    }
    const int followed = thread_to_reuse_id_of();
    const int highest = followed == 0 ? static_cast<int>(most_threads) : thread_tree::ids_given_once;
    if (const int own = tree_.created_by(run_.thread_id, me.created, highest); own != 0) return own;
    static_assert(most_threads == 71);
    if (followed == 0) run_end_.refuse("more than 71 threads at once", site);
    return followed;
}

// All that the thread has done happens before what the running thread does now. 0: there is none.
int created_threads::thread_to_reuse_id_of() const {
    const auto& joined = run_.self().joined_ids;
    if (joined.none()) return 0;
    const auto found = std::ranges::find_if(run_.order(), [&](int thread_id) {
        return joined[static_cast<std::size_t>(thread_id)] && !holds_a_lock(thread_id);
    });
    return found == run_.order().end() ? 0 : *found;
}

// A lock that a thread has left locked stays its own.
bool created_threads::holds_a_lock(int thread_id) const {
    if (!run_.of(thread_id).shared_locks.empty()) return true;
    for (std::size_t i = 0; i < run_.objects.size(); ++i) {
        if (run_.objects[i].alive && run_.objects[i].owner == thread_id) return true;
    }
    return false;
}

// What others know of the end of the thread before is not yet true of this one: its accesses are in epochs of their own
// after this event.
void created_threads::begin_reusing_id() {
    thread_state& me = run_.self();
    scheduling_points_.await_schedule();
    const event_id id = memory_.next_event(me, event_kind::beginning, no_site);
    memory_.finish_without_access(me, id, no_site);
    if (non_atomic_memory_ != nullptr) non_atomic_memory_->begin_reusing_id();
}

// The end of a thread is no event. Its last accesses are in the epoch after its last event, which also identifies its
// end.
void created_threads::join(int thread, site_id site) {
    operation_accounting_.effect();
    const int thread_id = thread + 1;
    thread_state& me = run_.self();
    const thread_state& child = run_.of(thread_id);
    if (run_.on_main_thread()) {
        if (child.status != thread_status::finished)
            run_end_.fail(violation_kind::deadlock, "a thread is joined that is not over", site);
        return;
    }
    me.joined = thread_id;
    scheduling_points_.await_join();
    const auto only = static_cast<std::uint8_t>(thread_id);
    std::span<const std::uint8_t> before{&only, 1};
    if (run_.observer != nullptr) before = run_.observer->joined(thread_id);
    for (const std::uint8_t index : before) {
        const thread_state& over = run_.of(index);
        me.hb.join(over.hb);
        me.fork_join_hb.join(over.fork_join_hb);
        for (view* const each : {&me.hb, &me.fork_join_hb}) {
            (*each)[index] = std::max<event_index>((*each)[index], static_cast<event_index>(over.next + 1));
        }
        if (!tree_.is_fixed(index)) me.joined_ids.set(index);
        me.joined_ids |= over.joined_ids;
    }
    me.porf.join(child.porf);
    operation_accounting_.step(site);
    recorder_.record("join", site, nullptr).note("thread ", static_cast<std::uint64_t>(run_.number_of(thread_id)));
}

void created_threads::finish() {
    thread_state& me = run_.self();
    if (me.speculated.active) run_end_.give_up_speculation();
    if (me.elided_lock != 0) run_end_.need_locks();
    const bool is_over = run_.at_end(me) || (*run_.graph)[me.path[me.next]].kind() == event_kind::beginning;
    if (!is_over) run_end_.diverge("a thread ended earlier than before", no_site);
    if (run_.observer != nullptr) run_.observer->finished();
    if (non_atomic_memory_ != nullptr) non_atomic_memory_->end_locals();
    me.status = thread_status::finished;
    run_end_.leave_fiber();
}

}  // namespace ordeal::detail::graph
