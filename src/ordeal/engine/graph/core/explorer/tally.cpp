// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/tally.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"
#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/search_json.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/word.hpp"

#include <nlohmann/json.hpp>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace ordeal::detail::graph {

using nlohmann::json;

static void to_json(json& to, const execution_graph& value) { to = to_text(value); }
static void from_json(const json& from, execution_graph& value) {
    auto graph = parse_graph(from.get_ref<const std::string&>());
    if (!graph) throw std::invalid_argument("not a graph");
    value = *std::move(graph);
}

void fields(const auto& io, is<counterexample> auto& value) {
    io("graph", value.graph);
    io("kind", value.kind, parse_violation_kind);
    io("message", value.message);
    io("difficulty", value.difficulty);
}

void fields(const auto& io, is<lb_site_names> auto& value) {
    io.items(value.only_by_letter, value.read, value.promised, value.source);
}

void fields(const auto& io, is<loop_access> auto& value) {
    io.item(value.thread_id);
    io.item(value.address);
    io.item(value.size);
    io.item(value.kind.writes);
    io.item(value.kind.atomic);
    io.item(value.events);
    io.item(value.ordered);
}

void fields(const auto& io, is<loop_accesses> auto& value) { io.items(value.some, value.too_many); }

void fields(const auto& io, is<tally> auto& value) {
    io("runs", value.runs);
    io("bounded", value.bounded);
    io("told_apart", value.refuted);
    io("found", value.found);
    auto& search_facts = value.search_facts;
    io("refused", search_facts.refused);
    io("limits", search_facts.limits);
    io("threads_met", search_facts.threads_shared_object);
    io("concurrent", search_facts.concurrent);
    io("synchronised", search_facts.synchronised);
    io("false_assumption", search_facts.false_assumption);
    io("order_of_arrivals", search_facts.order_of_arrivals);
    io("order_of_sections", search_facts.order_of_sections);
    io("mixed", search_facts.mixed);
    io("part_access", search_facts.part_access);
    io("threads", search_facts.threads);
    io("lb_patterns", search_facts.lb_patterns);
    io("pruned_accesses", search_facts.pruned_accesses.pruned);
    io("unordered_accesses", search_facts.pruned_accesses.unordered);
    for (const exploration_bound& each : exploration_bounds()) io(each.id, search_facts.*each.reached);
}

void fields(const auto& io, is<part_of_search> auto& value) {
    io("spinloop_sites", value.spinloop_sites);
    io("alike", value.learned);
    io("mixed", value.mixed);
    io("reductions", value.reductions);
    io("division", value.division);
    io("unfinished", value.unfinished);
}

// Numbers of values of 16 bytes, and of sets of waiters, are good for this process alone: the values are sent.
struct sent_value {
    std::uint64_t number = 0;
    bool is_wide = false;
    bool of_waiters = false;
};

static void to_json(json& to, const sent_value& value) {
    to = value.number;
    if (value.of_waiters && (value.number & sets_are_numbered) != 0) {
        const waiters& which = numbered_waiters(value.number);
        to = {which.waiting.to_string(), which.woken.to_string(), value.number & queue_is_locked};
    }
    if (!value.is_wide) return;
    const wide_value wide = wide_value_of(value.number);
    to = {wide.first, wide.second};
}
static void from_json(const json& from, sent_value& value) {
    value.of_waiters = from.is_array() && from.at(0).is_string();
    if (value.of_waiters) {
        using threads = std::bitset<max_thread_ids>;
        const waiters which{threads(from.at(0).get<std::string>()), threads(from.at(1).get<std::string>())};
        value.number = value_of(which) | from.at(2).get<std::uint64_t>();
        return;
    }
    value.number = from.is_array() ? number_of({from.at(0).get<std::uint64_t>(), from.at(1).get<std::uint64_t>()})
                                   : from.get<std::uint64_t>();
}

// What is asked of an event before it is run, which is more than the text of its graph has.
void fields(const auto& io, is<event> auto& value) {
    io.item(value.where);
    io.items(value.bytes.offset, value.bytes.size, value.bytes.of_size);
    io.item_number(value.using_order, order::seq_cst);
    if (value.is_write()) {
        auto& write = value.write();
        sent_value sent{write.value, is_wide(value.where), write.of_waiters};
        io.item(sent);
        if constexpr (!std::is_const_v<std::remove_reference_t<decltype(write)>>) {
            write.value = sent.number;
            write.of_waiters = sent.of_waiters;
        }
    } else if (value.is_read()) {
        auto& read = value.read();
        io.items(read.revisited, read.wakes, read.deletes_blocked_lock, read.redundant_wake_up_write);
        io.item_number(read.retry, retry_status::needed);
        io.item_number(read.form, read_form::store);
    }
}

namespace {

// All of a graph that is to be explored.
json from_work(const execution_graph& graph) {
    json details = json::array();
    for (const event& each : graph.events()) details.push_back(json_writer::of(each));
    return {{"graph", graph},
            {"details", std::move(details)},
            {"known_consistent", graph.known_consistent},
            {"unrevisitable_prefix", graph.unrevisitable_prefix}};
}

execution_graph to_work(const json& value) {
    auto graph = value.at("graph").get<execution_graph>();
    const json& details = value.at("details");
    if (details.size() != graph.size()) throw std::invalid_argument("not a graph with details");
    for (std::size_t id = 0; id < graph.size(); ++id) {
        event& each = graph[static_cast<event_id>(id)];
        json_reader::read(details.at(id), each);
        if (!each.is_read()) continue;
        const event_id redundant = each.read().redundant_wake_up_write;
        if (redundant != initial_write && redundant >= graph.size()) throw std::invalid_argument("no event");
    }
    value.at("known_consistent").get_to(graph.known_consistent);
    value.at("unrevisitable_prefix").get_to(graph.unrevisitable_prefix);
    if (graph.unrevisitable_prefix > graph.size() || (graph.unrevisitable_prefix == 0) == graph.future_reads)
        throw std::invalid_argument("no event");
    return graph;
}

// Sites, outcomes and what is kept of them go the way that whole results go.
json from_tally(const tally& value) {
    search_result carrier;
    value.copy_to(carrier);
    json result = json_writer::of(value);
    result["result"] = ordeal::detail::serialise(carrier);
    result["future_read_graphs"] = json::array();
    for (const future_read_graph& each : value.future_read_graphs) {
        json patterns = json::array();
        for (const lb_site_names& pattern : each.patterns) patterns.push_back(json_writer::of(pattern));
        result["future_read_graphs"].push_back({{"work", from_work(each.graph)}, {"patterns", std::move(patterns)}});
    }
    return result;
}

tally to_tally(const json& value) {
    auto carrier = deserialise(value.at("result").get<std::string>());
    if (!carrier) throw std::invalid_argument("not a result");
    tally result;
    json_reader::read(value, result);
    result.executions = carrier->executions;
    result.blocked = carrier->blocked;
    result.outcomes = std::move(carrier->outcomes);
    result.examples = std::move(carrier->examples);
    result.words = std::move(carrier->atomics);
    result.sites = std::move(carrier->sites);
    result.accepted = std::move(carrier->accepted);
    for (const json& each : value.at("future_read_graphs")) {
        future_read_graph& made = result.future_read_graphs.emplace_back(to_work(each.at("work")));
        for (const json& pattern : each.at("patterns")) json_reader::read(pattern, made.patterns.emplace_back());
    }
    return result;
}

}  // namespace

void tally::keep_simpler(counterexample other) {
    if (!found || other.difficulty < found->difficulty) found = std::move(other);
}

void tally::copy_to(search_result& result) const {
    result.executions = executions;
    result.blocked = blocked;
    result.outcomes = outcomes;
    result.examples = examples;
    result.atomics = words;
    result.sites = sites;
    result.accepted = accepted;
}

void tally::add(const tally& other) {
    runs += other.runs;
    executions += other.executions;
    blocked += other.blocked;
    bounded |= other.bounded;
    search_facts.add(other.search_facts);
    for (const auto& [outcome, count] : other.outcomes) outcomes[outcome] += count;
    merge_examples(other.examples, examples);
    merge_atomic_states(other.words, words);
    merge_sites(other.sites, sites);
    merge_accepted(other.accepted, accepted);
    if (other.found) keep_simpler(*other.found);
    future_read_graphs.insert(future_read_graphs.end(), other.future_read_graphs.begin(),
                              other.future_read_graphs.end());
    const bool says_more = refuted.empty() || is_in_search_facts(refuted);
    if (says_more && !other.refuted.empty()) refuted = other.refuted;
}

std::string serialise(const part_of_search& part) {
    json value = json_writer::of(part);
    value["counted"] = from_tally(part.counted);
    value["work"] = json::array();
    for (const execution_graph& graph : part.work) value["work"].push_back(from_work(graph));
    // A message comes from the code on trial and may hold any bytes.
    return json_text(value, -1, json::error_handler_t::replace);
}

std::optional<part_of_search> parse_part(std::string_view text) {
    try {
        const json value = parse_json(text);
        part_of_search result;
        json_reader::read(value, result);
        result.counted = to_tally(value.at("counted"));
        for (const json& each : value.at("work")) result.work.push_back(to_work(each));
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace ordeal::detail::graph
