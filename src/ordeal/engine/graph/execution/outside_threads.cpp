// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Construction, finish() and destruction, and what the only thread does before it creates others: nothing runs beside
// them, so each read has one value and no event is made. All of it happens before what comes after.
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/model/execution.hpp"

namespace ordeal::graph {

// More than a constructor reads of what it has made.
constexpr unsigned most_quiet_reads = 1'000;

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
    return {.value = target.initial, .source = target.newest, .began = target.began};
}

void graph_memory::write_alone(object& target, std::uint64_t value, site_id site) noexcept {
    if (target.initial != value) quiet_reads_ = 0;
    target.initial = value;
    target.began = step_;
    target.newest = initial_write;
    target.set_at = alone() ? no_site : site;
}

// A thread that only looks may do so for ever: then its reads are events after all, and seen to be the same. Asked before an
// operation, as both halves of a read-modify-write are events or none.
void graph_memory::note_quiet_read() noexcept {
    if (++quiet_reads_ > most_quiet_reads) leave_quiet();
}

// What was stored before there were other threads is read by one of them.
void graph_memory::note_first_value(const object& target, event_id source, site_id reader) {
    if (source != initial_write || target.set_at == no_site || number_ == 1 || alone()) return;
    mark(target.set_at, site_was_crossed);
    mark(reader, site_was_crossed);
}

}  // namespace ordeal::graph
