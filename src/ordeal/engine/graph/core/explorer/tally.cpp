// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/tally.hpp"

#include "ordeal/engine/graph/core/execution/locations.hpp"
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"
#include "ordeal/engine/graph/core/findings/exploration_bounds.hpp"
#include "ordeal/engine/persistence/json_fields.hpp"
#include "ordeal/engine/persistence/result_json.hpp"
#include "ordeal/engine/search_report.hpp"
#include "ordeal/runtime/word.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace ordeal::detail::graph {

void fields(const auto& io, is<buffered_load_sites> auto& value) {
    io.item(value.only_in_cpp20);
    io.item(value.read);
    io.item(value.promised);
    io.item(value.source);
}

void fields(const auto& io, is<tally> auto& value) {
    io("runs", value.runs);
    io("bounded", value.bounded);
    io("told_apart", value.refuted);
    auto& findings = value.findings;
    io("refused", findings.refused);
    io("limits", findings.limits);
    io("threads_met", findings.threads_shared_object);
    io("concurrent", findings.concurrent);
    io("synchronised", findings.synchronised);
    io("threads", findings.threads);
    io("buffered", findings.buffered);
    for (const exploration_bound& each : exploration_bounds()) io(each.id, findings.*each.reached);
}

namespace {

using nlohmann::json;

json from_counterexample(const counterexample& value) {
    return {{"graph", to_text(value.graph)},
            {"kind", to_string(value.kind)},
            {"message", value.message},
            {"difficulty", value.difficulty}};
}

execution_graph to_graph(const json& value) {
    auto graph = parse_graph(value.get<std::string>());
    if (!graph) throw std::invalid_argument("not a graph");
    return *std::move(graph);
}

// Numbers of values of 16 bytes are good for this process alone: the values are sent.
json value_of(const event& of) {
    if (of.kind != event_kind::write || !is_wide(of.where)) return of.value;
    const wide_value value = wide_value_of(of.value);
    return {value.first, value.second};
}

std::uint64_t to_word(const json& value) {
    if (!value.is_array()) return value.get<std::uint64_t>();
    return number_of({value.at(0).get<std::uint64_t>(), value.at(1).get<std::uint64_t>()});
}

// All of a graph that is to be explored: what is asked of it before it is run is more than its text has.
json from_work(const execution_graph& graph) {
    json details = json::array();
    for (const event& each : graph.events()) {
        details.push_back({each.where, value_of(each), static_cast<int>(each.using_order), each.waits, each.revisited,
                           each.wakes, each.shared, each.displaces_lock, each.redundant_wake_up_write,
                           static_cast<int>(each.retry)});
    }
    return {{"graph", to_text(graph)}, {"details", std::move(details)}, {"checked", graph.checked}};
}

execution_graph to_work(const json& value) {
    execution_graph graph = to_graph(value.at("graph"));
    const json& details = value.at("details");
    if (details.size() != graph.size()) throw std::invalid_argument("not a graph with details");
    for (std::size_t id = 0; id < graph.size(); ++id) {
        event& each = graph[static_cast<event_id>(id)];
        details.at(id).at(0).get_to(each.where);
        if (each.kind != event_kind::creation) each.value = to_word(details.at(id).at(1));
        const int using_order = details.at(id).at(2).get<int>();
        if (using_order < 0 || using_order > static_cast<int>(order::seq_cst)) throw std::invalid_argument("no order");
        each.using_order = static_cast<order>(using_order);
        details.at(id).at(3).get_to(each.waits);
        details.at(id).at(4).get_to(each.revisited);
        details.at(id).at(5).get_to(each.wakes);
        details.at(id).at(6).get_to(each.shared);
        details.at(id).at(7).get_to(each.displaces_lock);
        details.at(id).at(8).get_to(each.redundant_wake_up_write);
        if (each.redundant_wake_up_write != initial_write && each.redundant_wake_up_write >= graph.size())
            throw std::invalid_argument("no event");
        const int again = details.at(id).at(9).get<int>();
        if (again < 0 || again > static_cast<int>(retry_status::needed)) throw std::invalid_argument("no answer");
        each.retry = static_cast<retry_status>(again);
    }
    value.at("checked").get_to(graph.checked);
    return graph;
}

counterexample to_counterexample(const json& value) {
    const auto kind = parse_violation_kind(value.at("kind").get<std::string>());
    if (!kind) throw std::invalid_argument("unknown kind");
    return {to_graph(value.at("graph")), *kind, value.at("message").get<std::string>(),
            value.at("difficulty").get<std::uint64_t>()};
}

// Sites, outcomes and what is kept of them go the way that whole results go.
json from_tally(const tally& value) {
    search_result carrier;
    value.copy_to(carrier);
    json result = {{"result", ordeal::detail::serialise(carrier)},
                   {"found", value.found ? from_counterexample(*value.found) : json(nullptr)}};
    fields(json_writer(result), value);
    return result;
}

tally to_tally(const json& value) {
    auto carrier = deserialise(value.at("result").get<std::string>());
    if (!carrier) throw std::invalid_argument("not a result");
    tally result;
    fields(json_reader(value), result);
    result.executions = carrier->executions;
    result.blocked = carrier->blocked;
    result.outcomes = std::move(carrier->outcomes);
    result.examples = std::move(carrier->examples);
    result.words = std::move(carrier->atomics);
    result.sites = std::move(carrier->sites);
    result.accepted = std::move(carrier->accepted);
    if (!value.at("found").is_null()) result.found = to_counterexample(value.at("found"));
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
    findings.add(other.findings);
    for (const auto& [outcome, count] : other.outcomes) outcomes[outcome] += count;
    merge_examples(other.examples, examples);
    merge_atomic_states(other.words, words);
    merge_sites(other.sites, sites);
    merge_accepted(other.accepted, accepted);
    if (other.found) keep_simpler(*other.found);
    if (refuted.empty()) refuted = other.refuted;
}

std::string serialise(const part_of_search& part) {
    json work = json::array();
    for (const execution_graph& graph : part.work) work.push_back(from_work(graph));
    // A message comes from the code on trial and may hold any bytes.
    return json_text({{"counted", from_tally(part.counted)},
                      {"work", std::move(work)},
                      {"loops", part.loops},
                      {"alike", part.learned},
                      {"division", part.division},
                      {"unfinished", part.unfinished}},
                     -1, json::error_handler_t::replace);
}

std::optional<part_of_search> parse_part(std::string_view text) {
    try {
        const json parsed = parse_json(text);
        part_of_search result;
        result.counted = to_tally(parsed.at("counted"));
        for (const json& each : parsed.at("work")) result.work.push_back(to_work(each));
        parsed.at("loops").get_to(result.loops);
        parsed.at("alike").get_to(result.learned);
        parsed.at("division").get_to(result.division);
        parsed.at("unfinished").get_to(result.unfinished);
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace ordeal::detail::graph
