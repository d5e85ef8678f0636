// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, finish() and destruction: nothing runs beside them, so each read has one value and no event is made.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

// After the threads, an atomic holds what is last in coherence.
object& graph_memory::settled(object& target) {
    if (!finishing_ || target.collected) return target;
    target.collected = true;
    const harness_scope harness;
    const event_id last = graph_->coherence(target.name_of).back();
    if (last == initial_write) return target;
    target.initial = (*graph_)[last].value;
    target.began = facts_[last].step;
    target.newest = last;
    return target;
}

graph_memory::seen_value graph_memory::read_alone(const object& target, const read_request& how, site_id site) {
    if (how.blocks_on(target.initial)) {
        fail(violation_kind::deadlock, "blocked during construction or finish()", site);
    }
    note_crossing(target.newest, site);
    return {.value = target.initial, .source = target.newest};
}

void graph_memory::write_alone(object& target, std::uint64_t value) noexcept {
    target.initial = value;
    target.began = step_;
    target.newest = initial_write;
}

}  // namespace ordeal::graph
