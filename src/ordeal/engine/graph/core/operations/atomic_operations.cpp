// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/atomic_operations.hpp"

#include "ordeal/engine/graph/core/liveness/zero_net_effect.hpp"
#include "ordeal/runtime/execution.hpp"

namespace ordeal::detail::graph {

std::uint64_t atomic_operations::load(const caller_state& caller, const atomic_access& access) {
    const fences_around<atomic_operations> added(*this, access.site);
    thread_visits_.watch(access, caller);
    const accessed_bytes at = run_.mixed_sizes->of(access.where);
    object& target = memory_.begin_operation(at.object.address, object_kind::atomic, memory_access::read, access.site);
    const seen_value seen = memory_.read_event(target, {.success = access.using_order, .bytes = at.bytes}, access.site);
    note_read_from(target, seen.rf, access.site);
    recorder_.record(nullptr, access.site, &target).of_part(access.where, at.bytes).saw(seen, target);
    return at.bytes.of(seen.value);
}

void atomic_operations::store(const atomic_access& access, std::uint64_t value) {
    const fences_around<atomic_operations> added(*this, access.site);
    operation_accounting_.enter();
    const accessed_bytes at = run_.mixed_sizes->of(access.where);
    if (at.bytes.is_part()) [[unlikely]]
        return store_part(access, at, value);
    object& target = memory_.begin_operation(at.object.address, object_kind::atomic, memory_access::write, access.site);
    if (run_.single_threaded()) {
        single_threaded_memory_.write(target, value, access.site, false);
        operation_accounting_.undoable_effect();
    } else {
        memory_.write_event(target, {.using_order = access.using_order, .value = value, .bytes = at.bytes},
                            access.site);
        const thread_state& me = run_.self();
        // One that does not change the value is no effect, as with read-modify-writes.
        if (!zero_net_effect(run_, me, static_cast<event_index>(me.next - 1)).holds())
            operation_accounting_.undoable_effect();
    }
    recorder_.record(nullptr, access.site, &target).of_part(access.where, at.bytes).after(value);
}

void atomic_operations::store_part(const atomic_access& access, const accessed_bytes& at, std::uint64_t value) {
    operation_accounting_.undoable_effect();
    object& target =
        memory_.begin_operation(at.object.address, object_kind::atomic, memory_access::update, access.site);
    change(target,
           {.what = read_request::form::store,
            .success = access.using_order,
            .operand = value,
            .size = access.where.size,
            .result_unused = true,
            .bytes = at.bytes},
           access.site);
    recorder_.record(nullptr, access.site, &target).of_part(access.where, at.bytes).after(value);
}

std::uint64_t atomic_operations::modify(const caller_state& caller, const atomic_access& access, modification how,
                                        std::uint64_t operand) {
    const fences_around<atomic_operations> added(*this, access.site);
    thread_visits_.watch(access, caller, operand);
    const accessed_bytes at = run_.mixed_sizes->of(access.where);
    object& target =
        memory_.begin_operation(at.object.address, object_kind::atomic, memory_access::update, access.site);
    const read_request request{.what = read_request::form::modify,
                               .success = access.using_order,
                               .change = how,
                               .operand = operand,
                               .size = access.where.size,
                               .result_unused = access.result_unused,
                               .bytes = at.bytes};
    const seen_value seen = memory_.read_event(target, request, access.site);
    note_read_from(target, seen.rf, access.site);
    const std::uint64_t after = request.written_on(seen.value, 0);
    memory_.complete(target, request, seen, access.site);
    // A write that does not change the value is no effect that another thread could observe.
    if (after != seen.value) operation_accounting_.undoable_effect();
    recorder_.record(nullptr, access.site, &target)
        .of_part(access.where, at.bytes)
        .saw(seen, target)
        .after(at.bytes.of(after));
    return at.bytes.of(seen.value);
}

bool atomic_operations::compare_exchange(const caller_state& caller, const atomic_access& access, order failure,
                                         site_id failure_site, bool weak, std::uint64_t& expected,
                                         std::uint64_t desired) {
    const accessed_bytes at = run_.mixed_sizes->of(access.where);
    const read_request request{.what = read_request::form::compare_exchange,
                               .success = access.using_order,
                               .failure = failure,
                               .weak = weak,
                               .expected = expected,
                               .operand = desired,
                               .size = access.where.size,
                               .bytes = at.bytes};
    site_coverage_.reach(failure_site);
    const fences_around<atomic_operations> added(*this, access.site);
    const fences_around<atomic_operations> added_to_failure(*this, failure_site);
    object* target = nullptr;
    if (weak) {
        target = begin_weak_operation(access, object_kind::atomic, expected, desired, caller);
        if (target == nullptr) return false;
    } else {
        thread_visits_.watch(access, caller, expected, desired);
        target = &memory_.begin_operation(at.object.address, object_kind::atomic, memory_access::update, access.site);
    }
    const seen_value seen = memory_.read_event(*target, request, access.site);
    const std::uint64_t before = at.bytes.of(seen.value);
    const bool stored = !seen.spurious && before == expected;
    if (stored) memory_.complete(*target, request, seen, access.site);
    if (stored && non_atomic_memory_ != nullptr) non_atomic_memory_->note_stored(access);
    if (stored && desired != before) operation_accounting_.undoable_effect();
    const site_id acting = stored ? access.site : failure_site;
    note_read_from(*target, seen.rf, acting);
    recorded_step step = recorder_.record(nullptr, acting, target).of_part(access.where, at.bytes).saw(seen, *target);
    if (stored) {
        step.after(desired);
    } else {
        step.note(trace_step::failure_note(seen.spurious));
    }
    if (!stored) expected = before;
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
    if (!run_.single_threaded()) scheduling_points_.await_schedule();
    operation_accounting_.step(site);
    if (run_.single_threaded()) return;
    thread_state& me = run_.self();
    const event_id id = memory_.next_event(me, event_kind::fence, site);
    (*run_.graph)[id].using_order = using_order;
    if (acquires(using_order)) future_reads_.await_future_sources();
    run_.model.happens_before().begin_fence(run_.views, me, id, using_order);
    memory_.finish_without_access(me, id, site);
    run_.model.happens_before().end_fence(me, using_order);
}

void atomic_operations::wait(const atomic_access& access, std::uint64_t old) {
    const fences_around<atomic_operations> added(*this, access.site);
    operation_accounting_.enter();
    const accessed_bytes at = run_.mixed_sizes->of(access.where);
    object& target = memory_.begin_operation(at.object.address, object_kind::atomic, memory_access::read, access.site);
    const read_request request{
        .what = read_request::form::wait, .success = access.using_order, .expected = old, .bytes = at.bytes};
    run_.self().wait_began = run_.self().porf;
    const seen_value seen = memory_.read_event(target, request, access.site);
    note_read_from(target, seen.rf, access.site);
    if (!run_.single_threaded()) {
        const harness_scope harness;
        run_.returned_waits.push_back({seen.id, old, run_.self().wait_began});
        // If something older was left to read, it may have blocked on that, and a notification was taken to end it.
        const view& known = run_.views[seen.id].hb_before_acquire;
        if (run_.graph->co_of(seen.rf) > run_.graph->coherence_bound(target.name_of, known)) {
            operation_accounting_.effect();
        }
    }
    recorder_.record(nullptr, access.site, &target).of_part(access.where, at.bytes).saw(seen, target);
}

}  // namespace ordeal::detail::graph
