// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes, semaphores and atomic waits.
#include "ordeal/engine/graph/graph_memory.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

namespace {

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

void graph_memory::lock(std::uintptr_t mutex, site_id site) {
    prologue_.enter();
    if (run_.self().try_lock_failed && !run_.alone()) [[unlikely]]
        bound_lock_turns();
    object& target = come_to(mutex, object_kind::mutex, true, site);
    const read_request request = locking_by(read_request::form::lock, false);
    complete(target, request, read_event(target, request, site), site);
    prologue_.locking();
    target.owner = run_.number;
    recorder_.record(nullptr, site, &target);
}

bool graph_memory::try_lock(std::uintptr_t mutex, site_id site) {
    if (lives_.holds(mutex)) end_.fail(violation_kind::precondition, tried_by_owner, site);
    return try_lock_for(caller_state::here(), mutex, site);
}

bool graph_memory::try_lock_for(const caller_state& caller, std::uintptr_t mutex, site_id site) {
    // [thread.mutex.requirements.mutex]/16: it may fail though nobody holds the mutex.
    object* const found = come_to_weak({{mutex, 1}, order::acquire, site}, object_kind::mutex, 0, 1, caller);
    if (found == nullptr) return false;
    object& target = *found;
    const read_request request = locking_by(read_request::form::try_lock, true);
    const seen_value seen = read_event(target, request, site);
    const bool locked = !seen.spurious && seen.value == unlocked;
    if (locked) {
        complete(target, request, seen, site);
        prologue_.locking();
        target.owner = run_.number;
    }
    run_.self().try_lock_failed |= !locked;
    recorder_.record(nullptr, site, &target).note(locked ? "" : "fails");
    return locked;
}

void graph_memory::unlock(std::uintptr_t mutex, site_id site) {
    prologue_.locking();
    object& target = come_to(mutex, object_kind::mutex, false, site);
    if (target.owner != run_.number) end_.fail(violation_kind::precondition, unlocked_by_others, site);
    target.owner = -1;
    if (run_.quiet()) {
        quiet_.write(target, unlocked, no_site);
    } else {
        write_event(target, order::release, unlocked, initial_write, false, site);
    }
    recorder_.record(nullptr, site, &target);
}

void graph_memory::acquire_semaphore(const atomic_access& access) {
    prologue_.effect();
    object& target = come_to(access.where.address, object_kind::atomic, true, access.site);
    const read_request request{.what = read_request::form::acquire, .success = access.using_order};
    const seen_value seen = read_event(target, request, access.site);
    complete(target, request, seen, access.site);
    recorder_.record("acquire", access.site, &target).saw(seen, target);
}

bool graph_memory::try_acquire_semaphore(const caller_state& caller, const atomic_access& access) {
    watch_loop(access, caller);
    object& target = come_to(access.where.address, object_kind::atomic, true, access.site);
    const read_request request{
        .what = read_request::form::try_acquire, .success = access.using_order, .failure = order::relaxed};
    const seen_value seen = read_event(target, request, access.site);
    const bool acquired = seen.value != 0;
    if (acquired) {
        complete(target, request, seen, access.site);
        prologue_.effect();
    }
    recorder_.record("try acquire", access.site, &target).saw(seen, target).note(acquired ? "" : "fails");
    return acquired;
}

void graph_memory::wait(const atomic_access& access, std::uint64_t old) {
    prologue_.enter();
    object& target = come_to(access.where.address, object_kind::atomic, true, access.site);
    const read_request request{.what = read_request::form::wait, .success = access.using_order, .expected = old};
    run_.self().wait_began = run_.self().prefix;
    const seen_value seen = read_event(target, request, access.site);
    marks_.note_crossing(seen.source, access.site);
    marks_.note_first_value(target, seen.source, access.site);
    if (!run_.quiet()) {
        const harness_scope harness;
        run_.waits.push_back({seen.id, old, run_.self().wait_began});
    }
    recorder_.record(nullptr, access.site, &target).saw(seen, target);
}

}  // namespace ordeal::graph
