// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/execution/single_threaded_memory.hpp"

#include "ordeal/runtime/execution.hpp"

#include <cstddef>
#include <vector>

namespace ordeal::graph {

object& single_threaded_memory::settled(object& target) {
    if (!run_.finishing || target.collected) return target;
    target.collected = true;
    const harness_scope harness;
    const event_id last = run_.graph->newest(target.name_of);
    if (last == initial_write) return target;
    target.initial = (*run_.graph)[last].value;
    target.began = run_.views[last].step;
    target.newest = last;
    return target;
}

std::uint64_t single_threaded_memory::newest_value(object& of) {
    if (run_.alone()) return settled(of).initial;
    std::uint64_t result = of.initial;
    std::uint16_t co = 0;
    for (std::size_t id = 0; id < run_.graph->size(); ++id) {
        const event& each = (*run_.graph)[static_cast<event_id>(id)];
        const bool written = each.where == of.name_of && each.kind == event_kind::write && run_.views[id].done;
        if (!written || each.co <= co) continue;
        co = each.co;
        result = each.value;
    }
    return result;
}

seen_value single_threaded_memory::read(const object& target, const read_request& how, site_id site) {
    if (how.blocks_on(target.initial)) {
        run_end_.fail(violation_kind::deadlock, "blocked during construction or finish()", site);
    }
    site_coverage_.note_crossing(target.newest, site);
    return {.value = target.initial, .rf = target.newest, .began = target.began};
}

void single_threaded_memory::write(object& target, std::uint64_t value, site_id site) noexcept {
    if (target.initial != value) run_.single_threaded_reads = 0;
    target.initial = value;
    target.began = run_.step;
    target.newest = initial_write;
    target.set_at = run_.alone() ? no_site : site;
}

void single_threaded_memory::note_read() noexcept {
    constexpr unsigned most_single_threaded_reads = 1'000;  // more than a constructor reads of its own objects
    if (++run_.single_threaded_reads > most_single_threaded_reads) run_.leave_single_threaded();
}

}  // namespace ordeal::graph
