// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/single_threaded_memory.hpp"

#include "ordeal/runtime/execution.hpp"

#include <cstddef>

namespace ordeal::detail::graph {

object& single_threaded_memory::settled(object& target) {
    if (!(run_.finishing || run_.runs_without_others()) || target.collected) return target;
    target.collected = true;
    const harness_scope harness;
    const event_id last = run_.graph->co_max(target.name_of);
    if (last == initial_write) return target;
    target.initial = (*run_.graph)[last].write().value;
    target.began = run_.views[last].step;
    target.newest = last;
    return target;
}

// Of the writes that were run, the one with the greatest place; the initial value has `first`.
template <class Place>
std::uint64_t single_threaded_memory::value_of_last(const object& of, std::uint32_t first, const footprint& bytes,
                                                    Place place) const noexcept {
    std::uint64_t result = of.initial;
    for (std::size_t id = 0; id < run_.graph->size(); ++id) {
        const event& each = (*run_.graph)[static_cast<event_id>(id)];
        const event_views& views = run_.views[id];
        if (each.where != of.name_of || !each.is_write() || !views.done || !each.bytes.overlaps(bytes)) continue;
        if (place(each, views) <= first) continue;
        first = place(each, views);
        result = each.write().value;
    }
    return result;
}

std::uint64_t single_threaded_memory::newest_value(object& of) {
    if (run_.on_main_thread() || run_.runs_without_others()) return settled(of).initial;
    return value_of_last(of, 0, {}, [](const event& write, const event_views& /*of*/) { return write.write().co; });
}

std::uint64_t single_threaded_memory::latest_value(const object& of, const footprint& bytes) const noexcept {
    return value_of_last(of, of.began, bytes,
                         [](const event& /*write*/, const event_views& views) { return views.step; });
}

void single_threaded_memory::give(object& target, std::uint64_t value) noexcept {
    target.initial = value;
    target.newest = initial_write;
    target.collected = true;
}

seen_value single_threaded_memory::read(const object& target, const read_request& how, site_id site) {
    if (how.blocks_on(target.initial)) {
        run_end_.fail(violation_kind::deadlock, "blocked during construction or finish()", site);
    }
    if (run_.runs_without_others()) {
        run_.certification->note_read(target.name_of, target.initial, acquires(how.order_on(target.initial)));
    } else {
        site_coverage_.note_crossing(target.newest, site);
    }
    return {.value = target.initial, .rf = target.newest, .began = target.began};
}

void single_threaded_memory::write(object& target, std::uint64_t value, site_id site, bool rmw,
                                   const footprint& bytes) noexcept {
    if (target.initial != value) run_.single_threaded_reads = 0;
    if (run_.runs_without_others()) {
        if (run_.certification->note_write(target.name_of, value, rmw)) run_end_.abandon();
        target.collected = true;
    }
    target.leave(value, bytes);
    target.initial = value;
    target.began = run_.step;
    target.newest = initial_write;
    target.set_at = run_.on_main_thread() ? no_site : site;
}

void single_threaded_memory::note_read() noexcept {
    constexpr unsigned most_single_threaded_reads = 1'000;  // more than a constructor reads of its own objects
    if (++run_.single_threaded_reads <= most_single_threaded_reads) return;
    if (run_.runs_without_others()) {
        run_.certification->give_up();
        run_end_.abandon();
    }
    run_.leave_single_threaded();
}

}  // namespace ordeal::detail::graph
