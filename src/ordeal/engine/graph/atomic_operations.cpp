// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

std::uint64_t graph_memory::load(const atomic_access& access) { return load_for(caller_state::here(), access); }

std::uint64_t graph_memory::modify(const atomic_access& access, modification how, std::uint64_t operand) {
    return modify_for(caller_state::here(), access, how, operand);
}

bool graph_memory::compare_exchange(const atomic_access& access, order failure, site_id failure_site, bool weak,
                                    std::uint64_t& expected, std::uint64_t desired) {
    return compare_exchange_for(caller_state::here(), access, failure, failure_site, weak, expected, desired);
}

std::uint64_t graph_memory::load_for(const caller_state& caller, const atomic_access& access) {
    watch_loop(access, caller);
    object& target = come_to(access.where.address, object_kind::atomic, true, access.site);
    const seen_value seen = read_event(target, {.success = access.using_order}, access.site);
    note_crossing(seen.source, access.site);
    note_first_value(target, seen.source, access.site);
    if (tracing_) record_read(record(nullptr, access.site, &target), seen, target);
    return seen.value;
}

void graph_memory::store(const atomic_access& access, std::uint64_t value) {
    effect();
    object& target = come_to(access.where.address, object_kind::atomic, false, access.site);
    if (quiet()) {
        write_alone(target, value, access.site);
    } else {
        write_event(target, access.using_order, value, initial_write, false, access.site);
    }
    if (tracing_) record(nullptr, access.site, &target)->after = value;
}

std::uint64_t graph_memory::modify_for(const caller_state& caller, const atomic_access& access, modification how,
                                       std::uint64_t operand) {
    watch_loop(access, caller, operand);
    object& target = come_to(access.where.address, object_kind::atomic, true, access.site);
    const read_request request{.what = read_request::form::modify,
                               .success = access.using_order,
                               .change = how,
                               .operand = operand,
                               .size = access.where.size};
    const seen_value seen = read_event(target, request, access.site);
    note_crossing(seen.source, access.site);
    note_first_value(target, seen.source, access.site);
    const std::uint64_t after = request.written_on(seen.value, 0);
    complete(target, request, seen, access.site);
    // A write of the value that was there is none that another thread could tell from its absence.
    if (after != seen.value) effect();
    if (tracing_) {
        trace_step* const entry = record(nullptr, access.site, &target);
        record_read(entry, seen, target);
        entry->after = after;
    }
    return seen.value;
}

bool graph_memory::compare_exchange_for(const caller_state& caller, const atomic_access& access, order failure,
                                        site_id failure_site, bool weak, std::uint64_t& expected,
                                        std::uint64_t desired) {
    const read_request request{.what = read_request::form::compare_exchange,
                               .success = access.using_order,
                               .failure = failure,
                               .weak = weak,
                               .expected = expected,
                               .operand = desired,
                               .size = access.where.size};
    mark(failure_site, site_was_reached);
    object* target = nullptr;
    if (weak) {
        target = come_to_weak(access, object_kind::atomic, expected, desired, caller);
        if (target == nullptr) return false;
    } else {
        watch_loop(access, caller, expected, desired);
        target = &come_to(access.where.address, object_kind::atomic, true, access.site);
    }
    const seen_value seen = read_event(*target, request, access.site);
    const bool stored = !seen.spurious && seen.value == expected;
    if (stored) complete(*target, request, seen, access.site);
    if (stored && options_.instrumented) note_stored(access);
    if (stored && desired != seen.value) effect();
    const site_id acting = stored ? access.site : failure_site;
    note_crossing(seen.source, acting);
    note_first_value(*target, seen.source, acting);
    if (tracing_) {
        const harness_scope harness;
        trace_step* const entry = record(nullptr, acting, target);
        record_read(entry, seen, *target);
        if (stored) entry->after = desired;
        if (!stored) entry->note = seen.spurious ? "fails spuriously" : "fails";
    }
    if (!stored) expected = seen.value;
    return stored;
}

void graph_memory::fence(order using_order, site_id site) {
    enter();
    if (!quiet() && at_end(self())) await_turn(self());
    step(site);
    mark(site, site_was_crossed);  // a fence reads nothing itself; that it was reached is all there is to say
    if (!quiet()) {
        thread_state& me = self();
        const event_id id = next_event(me, event_kind::fence, site);
        (*graph_)[id].using_order = using_order;
        model_.happens_before().begin_fence(me, using_order);
        describe_write(me, id, initial_write);
        finish_event(me, id, site);
        model_.happens_before().end_fence(me, using_order);
    }
    if (tracing_) record(nullptr, site, nullptr);
}

}  // namespace ordeal::graph
