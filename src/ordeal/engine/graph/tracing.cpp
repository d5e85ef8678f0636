// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/graph_memory_inline.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/instrumented/front_end.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>
#include <utility>

namespace ordeal::graph {

void graph_memory::fail_too_long(std::uint64_t limit, const char* of_what, site_id site) {
    std::string message;
    {
        const harness_scope harness;
        message = "an execution of more than " + std::to_string(limit) + " " + of_what;
    }
    fail(violation_kind::livelock, message, site);
}

// Nobody can tell a loop that counts to a thousand from one without an end. Code over the policy is written for this model;
// any other has a right to its loops.
void graph_memory::end_too_long(site_id site) {
    if (!options_.instrumented || alone()) fail_too_long(options_.step_limit, "operations", site);
    met_.length_bound = true;
    abandon();
}

void graph_memory::make_room_for(site_id site) {
    const harness_scope harness;
    reached_.resize(std::max<std::size_t>(site + 1, 2 * reached_.size()));
}

void graph_memory::note_crossing(event_id source, site_id reader) {
    if (source == initial_write || (*graph_)[source].number == number_) return;
    mark(facts_[source].site, site_was_crossed);
    mark(reader, site_was_crossed);
}

// The caller fills in what is particular.
trace_step* graph_memory::record(const char* operation, site_id site, const object* of) {
    const harness_scope harness;
    trace_step entry = step_at(site, operation, of);
    entry.thread = thread();
    const view& clock = self().happened;
    for (int number = 1; number <= tree_.count(); ++number)
        entry.clock.push_back(clock[static_cast<std::size_t>(number)]);
    entry.index = step_;
    if (options_.instrumented) entry.calls = instrumented().call_stack();
    trace_.push_back(std::move(entry));
    return &trace_.back();
}

void graph_memory::record_read(trace_step* entry, const seen_value& seen, const object& of) const {
    entry->before = seen.value;
    entry->reads_from = seen.source == initial_write ? seen.began : facts_[seen.source].step;
    if (alone()) return;
    const std::uint16_t place = graph_->place_of(seen.source);
    for (std::size_t i = 0; i < graph_->size(); ++i) {
        const event& each = (*graph_)[static_cast<event_id>(i)];
        const bool newer = each.where == of.name_of && each.kind == event_kind::write && each.place > place;
        // What a read-modify-write wrote itself comes after what it read, and is no news to it.
        if (newer && facts_[i].done && facts_[i].step != step_) entry->stale = true;
    }
}

}  // namespace ordeal::graph
