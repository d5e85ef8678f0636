// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/locks.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <string_view>

namespace ordeal::detail::graph {

namespace {

constexpr std::string_view unlocked_by_others = "is unlocked by a thread that does not hold it";

// A mutex is an atomic that holds 1 while it is locked.
read_request locking_by(read_request::form what, bool weak) {
    return {.what = what,
            .success = order::acquire,
            .failure = order::relaxed,
            .weak = weak,
            .expected = unlocked,
            .operand = locked_by_writer};
}

}  // namespace

object& locks::begin_elided(std::uintptr_t mutex, site_id site, const char* called) {
    operation_accounting_.enter();
    operation_accounting_.step(site);
    object& target = object_lifetimes_.touch(mutex, site, object_kind::mutex);
    recorder_.record(called, site, &target);
    return target;
}

void locks::lock(std::uintptr_t mutex, site_id site, const char* called) {
    if (lock_elision_.elides(mutex)) {
        object& target = begin_elided(mutex, site, called);
        lock_elision_.begin_section(target);
        target.owner = run_.thread_id;
        return;
    }
    operation_accounting_.enter();
    if (run_.self().try_lock_failed && !run_.on_main_thread()) [[unlikely]]
        iteration_bounds_.bound_lock_iterations();
    const read_request request = locking_by(read_request::form::lock, false);
    object& target = memory_.begin_blocking_operation(mutex, object_kind::mutex, request, site);
    change(target, request, site);
    operation_accounting_.locking();
    target.owner = run_.thread_id;
    thread_state& me = run_.self();
    me.newest_lock = {me.next, me.done, me.writes_to_stack};
    recorder_.record(called, site, &target);
}

void locks::require_not_held(std::uintptr_t mutex, site_id site) {
    if (!object_lifetimes_.holds(mutex)) return;
    run_end_.fail_about(object_lifetimes_.live(mutex, site), violation_kind::precondition,
                        "is locked by the thread that holds it", site, "lock");
}

bool locks::try_lock(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    run_end_.need_locks();
    // [thread.mutex.requirements.mutex]/16: it may fail even if the mutex is free.
    object* const found = begin_weak_operation({{mutex, 1}, order::acquire, site}, object_kind::mutex, 0, 1, caller);
    if (found == nullptr) return false;
    object& target = *found;
    const read_request request = locking_by(read_request::form::try_lock, true);
    const seen_value seen = memory_.read_event(target, request, site);
    const bool locked = !seen.spurious && seen.value == unlocked;
    if (locked) {
        memory_.complete(target, request, seen, site);
        operation_accounting_.locking();
        target.owner = run_.thread_id;
    }
    run_.self().try_lock_failed |= !locked;
    recorder_.record(nullptr, site, &target).note(locked ? "" : trace_step::failure_note(seen.spurious));
    return locked;
}

void locks::unlock(std::uintptr_t mutex, site_id site, const char* called) {
    if (lock_elision_.end_section(mutex)) {
        begin_elided(mutex, site, called).owner = -1;
        return;
    }
    operation_accounting_.locking();
    object& target = memory_.begin_operation(mutex, object_kind::mutex, memory_access::write, site);
    if (target.owner != run_.thread_id)
        run_end_.fail_about(target, violation_kind::precondition, unlocked_by_others, site, "unlock");
    target.owner = -1;
    if (run_.single_threaded()) {
        single_threaded_memory_.write(target, unlocked, no_site, false);
    } else {
        memory_.write_event(target, {.using_order = order::release, .value = unlocked}, site);
    }
    recorder_.record(called, site, &target);
}

void locks::acquire(const atomic_access& access) {
    operation_accounting_.undoable_effect();
    const read_request request{.what = read_request::form::acquire, .success = access.using_order};
    object& target = memory_.begin_blocking_operation(access.where.address, object_kind::atomic, request, access.site);
    const seen_value seen = memory_.read_event(target, request, access.site);
    memory_.complete(target, request, seen, access.site);
    recorder_.record("acquire", access.site, &target).saw(seen, target).after(seen.value - 1);
}

bool locks::try_acquire(const caller_state& caller, const atomic_access& access) {
    thread_visits_.watch(access, caller);
    object& target =
        memory_.begin_operation(access.where.address, object_kind::atomic, memory_access::update, access.site);
    const read_request request{
        .what = read_request::form::try_acquire, .success = access.using_order, .failure = order::relaxed};
    const seen_value seen = memory_.read_event(target, request, access.site);
    const bool acquired = seen.value != 0;
    if (acquired) {
        memory_.complete(target, request, seen, access.site);
        operation_accounting_.undoable_effect();
    }
    recorded_step step = recorder_.record("try_acquire", access.site, &target);
    step.saw(seen, target).note(acquired ? "" : trace_step::failure_words);
    if (acquired) step.after(seen.value - 1);
    return acquired;
}

void locks::lock_shared(std::uintptr_t mutex, site_id site) {
    if (lock_elision_.elides(mutex)) {
        lock_elision_.begin_section(begin_elided(mutex, site, "lock_shared"));
        note_shared(mutex);
        return;
    }
    operation_accounting_.enter();
    const read_request request{.what = read_request::form::lock_shared, .success = order::acquire};
    object& target = memory_.begin_blocking_operation(mutex, object_kind::mutex, request, site);
    change(target, request, site);
    operation_accounting_.locking();
    note_shared(mutex);
    recorder_.record("lock_shared", site, &target);
}

// It may fail even if no writer holds the lock ([thread.sharedmutex.requirements.general]).
bool locks::try_lock_shared(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    run_end_.need_locks();
    object* const target =
        begin_weak_operation({{mutex, 1}, order::acquire, site}, object_kind::mutex, unlocked, one_reader, caller);
    if (target == nullptr) return false;
    const read_request request{.what = read_request::form::try_lock_shared,
                               .success = order::acquire,
                               .failure = order::relaxed,
                               .weak = true};
    const seen_value seen = memory_.read_event(*target, request, site);
    const bool locked = !seen.spurious && seen.value != locked_by_writer;
    if (locked) {
        memory_.complete(*target, request, seen, site);
        operation_accounting_.locking();
        note_shared(mutex);
    }
    recorder_.record("try_lock_shared", site, target).note(locked ? "" : trace_step::failure_note(seen.spurious));
    return locked;
}

void locks::note_shared(std::uintptr_t mutex) {
    const harness_scope harness;
    run_.self().shared_locks.push_back(mutex);
}

void locks::unlock_shared(std::uintptr_t mutex, site_id site) {
    if (lock_elision_.end_section(mutex)) {
        (void)begin_elided(mutex, site, "unlock_shared");
        std::erase(run_.self().shared_locks, mutex);
        return;
    }
    operation_accounting_.locking();
    object& target = memory_.begin_operation(mutex, object_kind::mutex, memory_access::update, site);
    if (!object_lifetimes_.holds_shared(run_.thread_id, mutex))
        run_end_.fail_about(target, violation_kind::precondition, unlocked_by_others, site, "unlock");
    run_.self().shared_locks.erase(std::ranges::find(run_.self().shared_locks, mutex));
    const read_request request{.what = read_request::form::modify,
                               .success = order::release,
                               .change = modification::subtract,
                               .operand = one_reader};
    const seen_value seen = memory_.read_event(target, request, site);
    memory_.complete(target, request, seen, site);
    recorder_.record("unlock_shared", site, &target);
}

}  // namespace ordeal::detail::graph
