// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/atomic_operations.hpp"

#include "ordeal/runtime/execution.hpp"

namespace ordeal::detail::graph {

std::uint64_t atomic_operations::load(const caller_state& caller, const atomic_access& access) {
    const fences_around<atomic_operations> added(*this, access.site);
    thread_visits_.watch(access, caller);
    object& target =
        memory_.begin_operation(access.where.address, object_kind::atomic, memory_access::read, access.site);
    const seen_value seen = memory_.read_event(target, {.success = access.using_order}, access.site);
    note_read_from(target, seen.rf, access.site);
    recorder_.record(nullptr, access.site, &target).saw(seen, target);
    return seen.value;
}

void atomic_operations::store(const atomic_access& access, std::uint64_t value) {
    const fences_around<atomic_operations> added(*this, access.site);
    operation_accounting_.atomic_effect();
    object& target =
        memory_.begin_operation(access.where.address, object_kind::atomic, memory_access::write, access.site);
    if (run_.single_threaded()) {
        single_threaded_memory_.write(target, value, access.site);
    } else {
        memory_.write_event(target, access.using_order, value, initial_write, false, access.site);
    }
    recorder_.record(nullptr, access.site, &target).after(value);
}

std::uint64_t atomic_operations::modify(const caller_state& caller, const atomic_access& access, modification how,
                                        std::uint64_t operand) {
    const fences_around<atomic_operations> added(*this, access.site);
    thread_visits_.watch(access, caller, operand);
    object& target =
        memory_.begin_operation(access.where.address, object_kind::atomic, memory_access::update, access.site);
    const read_request request{.what = read_request::form::modify,
                               .success = access.using_order,
                               .change = how,
                               .operand = operand,
                               .size = access.where.size,
                               .result_unused = access.result_unused};
    const seen_value seen = memory_.read_event(target, request, access.site);
    note_read_from(target, seen.rf, access.site);
    const std::uint64_t after = request.written_on(seen.value, 0);
    memory_.complete(target, request, seen, access.site);
    // A write that does not change the value is no effect that another thread could observe.
    if (after != seen.value) operation_accounting_.atomic_effect();
    recorder_.record(nullptr, access.site, &target).saw(seen, target).after(after);
    return seen.value;
}

bool atomic_operations::compare_exchange(const caller_state& caller, const atomic_access& access, order failure,
                                         site_id failure_site, bool weak, std::uint64_t& expected,
                                         std::uint64_t desired) {
    const read_request request{.what = read_request::form::compare_exchange,
                               .success = access.using_order,
                               .failure = failure,
                               .weak = weak,
                               .expected = expected,
                               .operand = desired,
                               .size = access.where.size};
    site_coverage_.reach(failure_site);
    const fences_around<atomic_operations> added(*this, access.site);
    const fences_around<atomic_operations> added_to_failure(*this, failure_site);
    object* target = nullptr;
    if (weak) {
        target = begin_weak_operation(access, object_kind::atomic, expected, desired, caller);
        if (target == nullptr) return false;
    } else {
        thread_visits_.watch(access, caller, expected, desired);
        target =
            &memory_.begin_operation(access.where.address, object_kind::atomic, memory_access::update, access.site);
    }
    const seen_value seen = memory_.read_event(*target, request, access.site);
    const bool stored = !seen.spurious && seen.value == expected;
    if (stored) memory_.complete(*target, request, seen, access.site);
    if (stored && non_atomic_memory_ != nullptr) non_atomic_memory_->note_stored(access);
    if (stored && desired != seen.value) operation_accounting_.atomic_effect();
    const site_id acting = stored ? access.site : failure_site;
    note_read_from(*target, seen.rf, acting);
    recorded_step step = recorder_.record(nullptr, acting, target).saw(seen, *target);
    if (stored) {
        step.after(desired);
    } else {
        step.note(seen.spurious ? "fails spuriously" : "fails");
    }
    if (!stored) expected = seen.value;
    return stored;
}

void atomic_operations::fence(order using_order, site_id site) {
    const fences_around<atomic_operations> added(*this, site);
    make_fence(using_order, site);
    if (!run_.single_threaded()) site_coverage_.cross(site);
    recorder_.record(nullptr, site, nullptr);
}

void atomic_operations::add_fence(order with, site_id site) {
    make_fence(with, site);
    recorder_.record("fence", site, nullptr).added(with);
}

void atomic_operations::make_fence(order using_order, site_id site) {
    operation_accounting_.enter();
    if (!run_.single_threaded()) scheduling_.await_schedule();
    operation_accounting_.step(site);
    if (run_.single_threaded()) return;
    thread_state& me = run_.self();
    const event_id id = memory_.next_event(me, event_kind::fence, site);
    (*run_.graph)[id].using_order = using_order;
    if (acquires(using_order)) late_reads_.await_late_sources();
    run_.model.happens_before().begin_fence(run_.views, me, id, using_order);
    memory_.describe_write(me, id, initial_write);
    memory_.finish_event(me, id, site);
    run_.model.happens_before().end_fence(me, using_order);
}

void atomic_operations::wait(const atomic_access& access, std::uint64_t old) {
    const fences_around<atomic_operations> added(*this, access.site);
    operation_accounting_.enter();
    object& target =
        memory_.begin_operation(access.where.address, object_kind::atomic, memory_access::read, access.site);
    const read_request request{.what = read_request::form::wait, .success = access.using_order, .expected = old};
    run_.self().wait_began = run_.self().porf;
    ++run_.self().waits_made;
    const seen_value seen = memory_.read_event(target, request, access.site);
    note_read_from(target, seen.rf, access.site);
    if (!run_.single_threaded()) {
        const harness_scope harness;
        run_.returned_waits.push_back({seen.id, old, run_.self().wait_began});
    }
    recorder_.record(nullptr, access.site, &target).saw(seen, target);
}

}  // namespace ordeal::detail::graph
