// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/trace_recorder.hpp"

#include "ordeal/engine/execution/debug_stop.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"
#include "ordeal/runtime/instrumented_runtime.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <utility>

namespace ordeal::detail::graph {

void recorded_step::set_before(std::uint64_t value) {
    step_->set_before(value);
    meet(step_->before, step_->second_before);
}

void recorded_step::set_after(std::uint64_t value) {
    step_->set_after(value);
    meet(step_->after, step_->second_after);
}

void recorded_step::meet(const std::optional<std::uint64_t>& first, const std::optional<std::uint64_t>& second) {
    by_->meet(*first, step_->index);
    if (second) by_->meet(*second, step_->index);
}

void recorded_step::set_note(std::string_view words) {
    const harness_scope harness;
    step_->note = words;
}

void recorded_step::set_note(std::string_view words, std::uint64_t number) {
    const harness_scope harness;
    step_->note = words;
    step_->note += std::to_string(number);
}

void recorded_step::set_added(order with) {
    const harness_scope harness;
    describe_added_fence(*step_, with);
}

void recorded_step::set_about(memory_range bytes, std::string_view called, std::string_view operation) {
    const harness_scope harness;
    if (!called.empty()) step_->object = called;
    step_->address = bytes.address;
    step_->size = bytes.size;
    // The step of a violation is an access that was not made, named by its site, else by the caller that found it.
    if (!operation.empty()) step_->where.operation = operation;
    step_->access = access_of(step_->where, step_->is_violation() ? step_->where.operation : step_->operation);
}

void recorded_step::set_part(memory_range bytes, const footprint& part) {
    part_ = part;
    step_->address = bytes.address;
    step_->size = bytes.size;
    by_->meet(bytes.address, step_->index);
}

void recorded_step::set_seen(const seen_value& seen, const object& of) {
    const run_state& run = by_->run_;
    set_before(part_.of(seen.value));
    const execution_graph& graph = *run.graph;
    // Of a part the latest write to it, whatever was written to the rest since.
    const event_id rf = graph.write_of(seen.rf, part_.bytes());
    step_->reads_from = rf == initial_write ? seen.began : run.views[rf].step;
    if (run.on_main_thread()) return;
    const coherence_position co = graph.co_of(rf);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const event& each = graph[static_cast<event_id>(i)];
        const bool newer = each.where == of.name_of && each.is_write() && each.write().co > co &&
                           (!part_.is_part() || each.bytes.overlaps(part_));
        // The write half of a read-modify-write is later than what it read, which does not make the read stale.
        if (newer && run.views[i].done && run.views[i].step != run.step) step_->stale = true;
    }
}

trace_step& recorder::add(const char* operation, site_id site, const object* of) {
    const harness_scope harness;
    trace_step entry = step_at(site, operation, of);
    entry.thread = run_.number_of(run_.thread_id) - 1;
    const view& clock = run_.self().hb;
    const int last =
        run_.reused_ids.empty() ? run_.thread_ids->count() : static_cast<int>(most_threads + run_.reused_ids.size());
    for (int number = 1; number <= last; ++number)
        entry.clock.push_back(clock[static_cast<std::size_t>(run_.id_of_number(number))]);
    entry.index = run_.step;
    if (instrumented_) entry.calls = instrumented().call_stack();
    if (site == no_site && !entry.calls.empty()) {
        // A step without a location of its own is attributed to the innermost function on trial.
        entry.where.key.file = entry.calls.front().file;
        entry.where.key.line = entry.calls.front().line;
        entry.where.function = entry.calls.front().function;
    }
    places_.stepped(run_.step, run_.thread_id);
    if (of != nullptr) meet(of->where.address, run_.step);
    steps_.push_back(std::move(entry));
    detail::come_to_step(run_.step, true);
    return steps_.back();
}

void recorder::add_stuck(int thread_id, const stuck_thread& does) {
    if (!on_) return;
    const harness_scope harness;
    trace_step stuck;
    const int thread = run_.number_of(thread_id) - 1;
    const auto last = std::ranges::find(steps_ | std::views::reverse, thread, &trace_step::thread);
    if (last != std::ranges::rend(steps_)) stuck = *last;
    trace_step entry;
    entry.index = run_.step + 1;
    entry.thread = thread;
    entry.operation = trace_step::stuck_words;
    entry.where = stuck.where;
    entry.clock = stuck.clock;
    entry.calls = stuck.calls;
    entry.note = does.description;
    // The object that it reads, or waits for.
    const auto at_object = std::ranges::find_if(steps_ | std::views::reverse, [&](const trace_step& each) {
        return each.thread == entry.thread && !each.object.empty() && (does.of == 0 || each.address == does.of);
    });
    if (does.names_object && at_object != std::ranges::rend(steps_)) {
        entry.object = at_object->object;
        entry.address = at_object->address;
        entry.size = at_object->size;
    }
    steps_.push_back(std::move(entry));
}

void recorder::keep_future_sources() {
    future_sources_.clear();
    for (const event& each : run_.graph->events()) {
        const event_id source = each.future_source();
        if (source == initial_write || !run_.views[source].done) continue;
        const site& where = sites().at(run_.views[source].site);
        const std::string& file = where.key.file;
        future_sources_[source] = std::string(reads_later_write) + std::string(where.operation) + " at " +
                                  file.substr(file.rfind('/') + 1) + ':' + std::to_string(where.key.line);
    }
}

// They were run before what they read from.
void recorder::place_future_reads() {
    for (std::size_t i = 0; run_.graph->future_reads && i < run_.graph->size(); ++i) {
        const event& each = (*run_.graph)[static_cast<event_id>(i)];
        const event_id from = each.future_source();
        if (from == initial_write || !run_.views[i].done) continue;
        const auto read = std::ranges::find(steps_, run_.views[i].step, &trace_step::index);
        if (read == steps_.end()) continue;
        if (run_.views[from].done) {
            read->reads_from = run_.views[from].step;
        } else {
            read->reads_from.reset();
            if (const auto source = future_sources_.find(from); source != future_sources_.end())
                read->note = source->second;
        }
    }
}

void recorder::place_writes() {
    if (!on_) return;
    const harness_scope harness;
    std::map<std::uint32_t, std::uint32_t> place_at;  // by step
    std::map<std::uint32_t, order> order_of;
    for (std::size_t i = 0; i < run_.graph->size(); ++i) {
        const event& each = (*run_.graph)[static_cast<event_id>(i)];
        if (!run_.views[i].done) continue;
        if (each.is_write()) place_at[run_.views[i].step] = each.write().co;
        if (each.accesses_memory() || each.kind() == event_kind::fence) order_of[run_.views[i].step] = each.using_order;
    }
    place_future_reads();
    for (trace_step& each : steps_) {
        const auto found = place_at.find(each.index);
        if (found != place_at.end() && each.after) each.coherence = found->second;
        const auto used = order_of.find(each.index);
        if (used != order_of.end() && (each.before || each.after || each.object.empty()))
            each.event_order = used->second;
        // A read-modify-write reads the latest value before its own ([atomics.order]), whenever others were written.
        if (each.after) each.stale = false;
    }
}

void recorder::conclude(violation_kind kind, std::string_view message, std::uint32_t index) {
    if (!on_) return;
    const harness_scope harness;
    trace_step last;
    last.index = index;
    last.operation = trace_step::violation_words;
    last.note = violation_note(kind, message);
    steps_.push_back(std::move(last));
    detail::come_to_step(index, false);
}

}  // namespace ordeal::detail::graph
