// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/operations/arrivals.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>
#include <ranges>

namespace ordeal::detail::graph {

void arrivals::order() {
    if (!are_events()) return;
    operation_accounting_.enter();
    run_end_.order_arrivals();
}

const arrival* arrivals::last_of_thread(location where) const noexcept {
    for (const arrival& each : run_.arrivals | std::views::reverse) {
        if (each.where == where && each.thread_id == run_.thread_id) return &each;
    }
    return nullptr;
}

void arrivals::arrive(const coordination_object& where, std::uint64_t count) {
    operation_accounting_.effect();
    object& target =
        memory_.begin_operation(where.where.address, object_kind::atomic, memory_access::write, where.site);
    arrival made{.where = target.name_of,
                 .address = where.where.address,
                 .count = count,
                 .phase = 0,
                 .thread_id = static_cast<std::uint8_t>(run_.thread_id),
                 .returned = 0,
                 .hb = run_.self().hb,
                 .porf = run_.self().porf};
    if (const arrival* const last = last_of_thread(target.name_of); last != nullptr && where.has_phases) {
        if (!last->departed) order();
        made.phase = static_cast<std::uint32_t>(last->phase + 1);
    }
    if (run_.arrived(made.where, made.phase) + count > where.expected) {
        if (where.has_phases) order();  // more threads than it is for
        run_end_.fail(violation_kind::precondition, "a latch is counted down by more than its count", where.site);
    }
    if (!run_.single_threaded()) {
        thread_state& me = run_.self();
        const event_id id = memory_.next_event(me, event_kind::arrival, where.site);
        (*run_.graph)[id].using_order = order::release;
        memory_.finish_without_access(me, id, where.site);
        made.hb = me.hb;
        made.porf = me.porf;
        made.returned = me.next;
    }
    {
        const harness_scope harness;
        run_.arrivals.push_back(made);
    }
    recorder_.record(nullptr, where.site, &target);
}

void arrivals::await(const coordination_object& where) {
    operation_accounting_.effect();
    // Whoever has waited may destroy a barrier at once; it is no access of those that are about to leave it.
    const object& target = where.has_phases
                               ? object_lifetimes_.live(where.where.address, where.site)
                               : object_lifetimes_.touch(where.where.address, where.site, object_kind::atomic);
    const location at = target.name_of;
    const arrival* const own = last_of_thread(at);
    const std::uint32_t phase = where.has_phases && own != nullptr ? own->phase : std::uint32_t{0};
    thread_state& me = run_.self();
    me.arrivals = {at, phase, where.expected};
    if (!run_.has_joined(me)) {
        recorder_.record("blocks", where.site, &target);
        if (run_.on_main_thread()) run_end_.fail(violation_kind::deadlock, "nobody else can arrive", where.site);
        run_.leave_single_threaded();
        scheduling_points_.await_join();
    }
    me.arrivals.reset();
    for (arrival& each : run_.arrivals) {
        if (each.where != at || each.phase != phase) continue;
        me.hb.join(each.hb);
        me.porf.join(each.porf);
        each.departed |= each.thread_id == run_.thread_id;
    }
    operation_accounting_.step(where.site);
    recorder_.record(nullptr, where.site, &target);
}

bool arrivals::some_are_within(const coordination_object& where) {
    if (run_.another_is_there()) scheduling_points_.await_schedule();
    const object* const target = run_.objects.find(where.where.address);
    if (target == nullptr) return false;
    return std::ranges::any_of(run_.arrivals, [&](const arrival& each) {
        return each.where == target->name_of &&
               (run_.arrived(each.where, each.phase) < where.expected || run_.may_go_on(each));
    });
}

}  // namespace ordeal::detail::graph
