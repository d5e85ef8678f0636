// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/execution_statistics.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/core/facts/site_coverage.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/site.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ordeal::detail::graph {

namespace {

constexpr std::uint64_t address_size = 8;
constexpr std::uint64_t lowest_address = 0x10000;  // the system maps nothing below
constexpr std::uint64_t highest_address = std::uint64_t{1} << 47;
constexpr std::uint64_t tag_bits = 7;

}  // namespace

void execution_statistics::threads_ended(const run_state& run) {
    const harness_scope harness;
    now_.clear();
    if (!wants_words_) return;
    for (std::size_t i = 0; i < run.objects.size(); ++i) {
        const object& each = run.objects[i];
        if (each.kind != object_kind::atomic || each.collected || each.where.size > address_size) continue;
        now_.push_back({each.name_of, each.where.address, each.where.size, each.ordinal, each.initial});
    }
}

void execution_statistics::count_execution(const run_state& run, const std::string& outcome) {
    if (wants_examples_) keep_example(*run.graph, outcome);
    for (const atomic& each : now_) keep_states(run, each);
    if (wants_rf_pairs_) keep_rf_pairs(run);
}

// The first execution in which it was seen.
void execution_statistics::keep_rf_pairs(const run_state& run) {
    const auto& events = run.graph->events();
    for (const event& read : events) {
        if (!read.reads_event()) continue;
        if (events[read.read().rf].thread_id == read.thread_id) continue;
        const site_id reader = site_of_read(run, run.of(read.thread_id).path[read.index]);
        std::string& path = rf_pairs_[{run.views[read.read().rf].site, reader}];
        if (path.empty()) path = to_text(*run.graph);
    }
}

void execution_statistics::add_rf_pairs(std::vector<reached_site>& into) const {
    for (const auto& [pair, path] : rf_pairs_) {
        const site& reader = sites().at(pair.second);
        note_reads_from(into, sites().at(pair.first), reader, path);
    }
}

void execution_statistics::keep_example(const execution_graph& graph, const std::string& outcome) {
    if (!keeps(examples_, outcome)) return;
    outcome_example one{1, difficulty(graph), {}};
    const auto known = examples_.find(outcome);
    if (known != examples_.end() && known->second.difficulty < one.difficulty) {
        ++known->second.executions;
        return;
    }
    one.path = to_text(graph);
    merge_examples({{outcome, std::move(one)}}, examples_);
}

std::string execution_statistics::state::name() const {
    if (kind == shape::number) return std::to_string(value);
    if (kind == shape::own_address) return "this";
    std::string result = "pointer";
    if (tag != 0) result += "+" + std::to_string(tag);
    if (ordinal > 0) result += " " + std::to_string(ordinal + 1);
    return result;
}

execution_statistics::state execution_statistics::state_of(std::uint64_t value, const atomic& of, const state* before,
                                                           std::uint64_t before_value) {
    if (of.size != address_size || value < lowest_address || value >= highest_address) return {.value = value};
    if (value == of.address) return {.kind = shape::own_address};
    state result{.kind = shape::address, .tag = static_cast<std::uint8_t>(value & tag_bits)};
    if (before == nullptr || before->kind != shape::address) return result;
    result.ordinal = before->ordinal + ((value & ~tag_bits) == (before_value & ~tag_bits) ? 0 : 1);
    return result;
}

// Those that are kept are the first in order, whatever the search meets when.
execution_statistics::word* execution_statistics::word_at(location where) {
    if (words_.size() >= most_tracked_atomics && where > words_.rbegin()->first) return nullptr;
    word& result = words_[where];
    if (words_.size() > most_tracked_atomics) words_.erase(std::prev(words_.end()));
    return &result;
}

void execution_statistics::keep_states(const run_state& run, const atomic& of) {
    word* const into = word_at(of.where);
    if (into == nullptr) return;
    into->ordinal = of.ordinal;
    ++into->executions;
    if (into->too_many) return;
    run.graph->coherence(of.where, writes_);
    path_.clear();
    std::uint64_t before = 0;
    for (const event_id write : writes_) {
        const std::uint64_t value = write == initial_write ? of.initial : (*run.graph)[write].write().value;
        const state now = state_of(value, of, path_.empty() ? nullptr : &path_.back(), before);
        before = value;
        ++into->states[now].times;
        if (!path_.empty()) ++into->transitions[{path_.back(), now, run.views[write].site}];
        path_.push_back(now);
    }
    note_observers(run, of, *into);
    note_path(*into);
    into->too_many = into->states.size() > most_states;
    if (!into->too_many) return;
    into->states.clear();
    into->transitions.clear();
    into->paths.clear();
}

void execution_statistics::note_path(word& into) {
    text_.clear();
    for (const state& each : path_) text_.append(text_.empty() ? "" : ", ").append(each.name());
    ++into.paths[text_];
    if (into.paths.size() > most_state_paths) into.paths.erase(std::prev(into.paths.end()));
}

// A read that is half of a read-modify-write is the transition that this makes.
void execution_statistics::note_observers(const run_state& run, const atomic& of, word& into) {
    const auto& events = run.graph->events();
    for (const event& read : events) {
        if (!read.is_read() || read.where != of.where) continue;
        if (read.read().rf != initial_write && events[read.read().rf].thread_id == read.thread_id) continue;
        if (run.graph->rmw_write_of(read) != initial_write) continue;
        const auto at = static_cast<std::size_t>(std::ranges::find(writes_, read.read().rf) - writes_.begin());
        auto& observers = into.states[path_[at]].observers;
        const site_id by = site_of_read(run, run.of(read.thread_id).path[read.index]);
        if (std::ranges::find(observers, by) == observers.end()) observers.push_back(by);
    }
}

outcome_examples execution_statistics::take_examples() { return std::exchange(examples_, {}); }

std::vector<atomic_states> execution_statistics::take_words() {
    std::vector<atomic_states> result;
    for (const auto& [where, each] : std::exchange(words_, {})) result.push_back(named(where, each));
    return result;
}

atomic_states execution_statistics::named(location where, const word& of) {
    atomic_states result;
    result.id = where;
    result.name = "atomic " + std::to_string(of.ordinal);
    result.executions = of.executions;
    result.too_many = of.too_many;
    for (const auto& [seen, what] : of.states) {
        seen_state& into = result.states[seen.name()];
        into.times = what.times;
        for (const site_id by : what.observers) into.observers.push_back(sites().at(by));
    }
    for (const auto& [which, times] : of.transitions) {
        const auto& [from, to, by] = which;
        result.transitions.push_back({from.name(), to.name(), sites().at(by), times});
    }
    result.paths = of.paths;
    return result;
}

}  // namespace ordeal::detail::graph
