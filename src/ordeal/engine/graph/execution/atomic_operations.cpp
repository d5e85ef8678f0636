// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/graph_memory.hpp"
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
    marks_.note_crossing(seen.source, access.site);
    marks_.note_first_value(target, seen.source, access.site);
    recorder_.record(nullptr, access.site, &target).saw(seen, target);
    return seen.value;
}

void graph_memory::store(const atomic_access& access, std::uint64_t value) {
    prologue_.effect();
    object& target = come_to(access.where.address, object_kind::atomic, false, access.site);
    if (run_.quiet()) {
        quiet_.write(target, value, access.site);
    } else {
        write_event(target, access.using_order, value, initial_write, false, access.site);
    }
    recorder_.record(nullptr, access.site, &target).after(value);
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
    marks_.note_crossing(seen.source, access.site);
    marks_.note_first_value(target, seen.source, access.site);
    const std::uint64_t after = request.written_on(seen.value, 0);
    complete(target, request, seen, access.site);
    // A write of the value that was there is none that another thread could tell from its absence.
    if (after != seen.value) prologue_.effect();
    recorder_.record(nullptr, access.site, &target).saw(seen, target).after(after);
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
    marks_.reach(failure_site);
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
    if (stored && options_.instrumented) plain_.note_stored(access);
    if (stored && desired != seen.value) prologue_.effect();
    const site_id acting = stored ? access.site : failure_site;
    marks_.note_crossing(seen.source, acting);
    marks_.note_first_value(*target, seen.source, acting);
    recorded_step step = recorder_.record(nullptr, acting, target).saw(seen, *target);
    if (stored) {
        step.after(desired);
    } else {
        step.note(seen.spurious ? "fails spuriously" : "fails");
    }
    if (!stored) expected = seen.value;
    return stored;
}

void graph_memory::fence(order using_order, site_id site) {
    prologue_.enter();
    if (!run_.quiet() && run_.at_end(run_.self())) turns_.await_turn();
    prologue_.step(site);
    marks_.cross(site);  // a fence reads nothing itself; that it was reached is all there is to say
    if (!run_.quiet()) {
        thread_state& me = run_.self();
        const event_id id = next_event(me, event_kind::fence, site);
        (*run_.graph)[id].using_order = using_order;
        if (acquires(using_order)) me.happened.join(me.pending);
        describe_write(me, id, initial_write);
        finish_event(me, id, site);
        if (releases(using_order)) me.released = me.happened;
    }
    recorder_.record(nullptr, site, nullptr);
}

}  // namespace ordeal::graph
