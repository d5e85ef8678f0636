// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/result_json.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace ordeal {

namespace {

using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> optional_of(const json& value) {
    if (value.is_null()) return std::nullopt;
    return value.get<T>();
}

// Names rather than numbers, so that reading detects values outside an enumeration.
template <class T>
T required(std::optional<T> parsed) {
    if (!parsed) throw std::invalid_argument("unknown name");
    return *parsed;
}

json from_site(const site& value) {
    return {{"file", value.key.file},       {"line", value.key.line},
            {"column", value.key.column},   {"role", to_string(value.key.what)},
            {"atomic", value.atomic},       {"function", value.function},
            {"operation", value.operation}, {"declared", to_string(value.declared)}};
}

site to_site(const json& value) {
    site result;
    value.at("file").get_to(result.key.file);
    value.at("line").get_to(result.key.line);
    value.at("column").get_to(result.key.column);
    result.key.what = required(parse_role(value.at("role").get<std::string>()));
    value.at("atomic").get_to(result.atomic);
    value.at("function").get_to(result.function);
    value.at("operation").get_to(result.operation);
    result.declared = required(parse_order(value.at("declared").get<std::string>()));
    return result;
}

json from_calls(const std::vector<call_frame>& calls) {
    json result = json::array();
    for (const call_frame& each : calls) result.push_back({each.function, each.file, each.line});
    return result;
}

json from_step(const trace_step& step) {
    return {{"index", step.index},
            {"thread", step.thread},
            {"operation", step.operation},
            {"where", from_site(step.where)},
            {"object", step.object},
            {"name", step.name},
            {"type", step.type},
            {"address", step.address},
            {"size", step.size},
            {"access", to_string(step.access)},
            {"order", step.using_order ? json(to_string(*step.using_order)) : json(nullptr)},
            {"overridden", step.overridden},
            {"before", or_null(step.before)},
            {"after", or_null(step.after)},
            {"second_before", or_null(step.second_before)},
            {"second_after", or_null(step.second_after)},
            {"before_name", step.before_name},
            {"after_name", step.after_name},
            {"coherence", or_null(step.coherence)},
            {"reads_from", or_null(step.reads_from)},
            {"stale", step.stale},
            {"clock", step.clock},
            {"calls", from_calls(step.calls)},
            {"note", step.note}};
}

trace_step to_step(const json& value) {
    trace_step result;
    value.at("index").get_to(result.index);
    value.at("thread").get_to(result.thread);
    value.at("operation").get_to(result.operation);
    result.where = to_site(value.at("where"));
    value.at("object").get_to(result.object);
    value.at("name").get_to(result.name);
    value.at("type").get_to(result.type);
    value.at("address").get_to(result.address);
    value.at("size").get_to(result.size);
    result.access = required(parse_step_access(value.at("access").get<std::string>()));
    if (!value.at("order").is_null()) result.using_order = required(parse_order(value["order"].get<std::string>()));
    value.at("overridden").get_to(result.overridden);
    result.before = optional_of<std::uint64_t>(value.at("before"));
    result.after = optional_of<std::uint64_t>(value.at("after"));
    result.second_before = optional_of<std::uint64_t>(value.at("second_before"));
    result.second_after = optional_of<std::uint64_t>(value.at("second_after"));
    value.at("before_name").get_to(result.before_name);
    value.at("after_name").get_to(result.after_name);
    result.coherence = optional_of<std::uint32_t>(value.at("coherence"));
    result.reads_from = optional_of<std::uint32_t>(value.at("reads_from"));
    value.at("stale").get_to(result.stale);
    value.at("clock").get_to(result.clock);
    for (const json& call : value.at("calls")) {
        result.calls.push_back(
            {call.at(0).get<std::string>(), call.at(1).get<std::string>(), call.at(2).get<std::uint32_t>()});
    }
    value.at("note").get_to(result.note);
    return result;
}

json from_limits(const std::vector<limit>& limits) {
    json result = json::array();
    for (const limit& each : limits)
        result.push_back({each.id, each.sentence, to_string(each.effect), each.parameters});
    return result;
}

limit to_limit(const json& value) {
    return {value.at(0).get<std::string>(), value.at(1).get<std::string>(),
            required(parse_limit_effect(value.at(2).get<std::string>())),
            value.at(3).get<std::map<std::string, std::string>>()};
}

json from_models(const std::optional<models_of_violation>& models) {
    if (!models) return nullptr;
    return {
        {"strongest", to_string(models->strongest)}, {"excluded", models->excluded}, {"cut_short", models->cut_short}};
}

std::optional<models_of_violation> to_models(const json& value) {
    if (value.is_null()) return std::nullopt;
    return models_of_violation{required(parse_memory_model(value.at("strongest").get<std::string>())),
                               value.at("excluded").get<bool>(), value.at("cut_short").get<bool>()};
}

json from_sites(const std::vector<site>& sites) {
    json result = json::array();
    for (const site& each : sites) result.push_back(from_site(each));
    return result;
}

std::vector<site> to_sites(const json& value) {
    std::vector<site> result;
    for (const json& each : value) result.push_back(to_site(each));
    return result;
}

json from_examples(const outcome_examples& examples) {
    json result = json::object();
    for (const auto& [outcome, each] : examples) result[outcome] = {each.executions, each.difficulty, each.path};
    return result;
}

outcome_examples to_examples(const json& value) {
    outcome_examples result;
    for (const auto& [outcome, each] : value.items()) {
        result[outcome] = {each.at(0).get<std::uint64_t>(), each.at(1).get<std::uint64_t>(),
                           each.at(2).get<std::string>()};
    }
    return result;
}

json from_atomic(const atomic_states& word) {
    json states = json::object();
    for (const auto& [name, seen] : word.states) states[name] = {seen.times, from_sites(seen.observers)};
    json transitions = json::array();
    for (const state_transition& each : word.transitions) {
        transitions.push_back({each.from, each.to, from_site(each.by), each.times});
    }
    return {{"id", word.id},
            {"name", word.name},
            {"executions", word.executions},
            {"states", std::move(states)},
            {"transitions", std::move(transitions)},
            {"paths", word.paths},
            {"too_many", word.too_many}};
}

atomic_states to_atomic(const json& value) {
    atomic_states result;
    value.at("id").get_to(result.id);
    value.at("name").get_to(result.name);
    value.at("executions").get_to(result.executions);
    for (const auto& [name, seen] : value.at("states").items()) {
        result.states[name] = {seen.at(0).get<std::uint64_t>(), to_sites(seen.at(1))};
    }
    for (const json& each : value.at("transitions")) {
        result.transitions.push_back({each.at(0).get<std::string>(), each.at(1).get<std::string>(), to_site(each.at(2)),
                                      each.at(3).get<std::uint64_t>()});
    }
    value.at("paths").get_to(result.paths);
    value.at("too_many").get_to(result.too_many);
    return result;
}

// As numbers: for another process of this program only.
json from_tried(const std::vector<tried_search>& tried) {
    json result = json::array();
    for (const tried_search& each : tried) {
        result.push_back({static_cast<int>(each.mode), each.bound, each.depth, each.seed, each.executions,
                          each.different, each.complete});
    }
    return result;
}

std::vector<tried_search> to_tried(const json& value) {
    std::vector<tried_search> result;
    for (const json& each : value) {
        const int mode = each.at(0).get<int>();
        if (mode < 0 || mode > static_cast<int>(search_mode::pct)) throw std::invalid_argument("no search mode");
        result.push_back({.mode = static_cast<search_mode>(mode),
                          .bound = each.at(1),
                          .depth = each.at(2),
                          .seed = each.at(3),
                          .executions = each.at(4),
                          .different = each.at(5),
                          .complete = each.at(6)});
    }
    return result;
}

json from_seen(const seen_so_far& seen) { return {seen.graphs, seen.pairs, seen.newest_pair_after, seen.more_pairs}; }

seen_so_far to_seen(const json& value) { return {value.at(0), value.at(1), value.at(2), value.at(3)}; }

json from_result(const search_result& result) {
    json sites = json::array();
    for (const reached_site& reached : result.sites) {
        json met_in = json::array();
        for (const choices& each : reached.writer_examples) met_in.push_back(each.text);
        sites.push_back({{"where", from_site(reached.where)},
                         {"crossed", reached.crossed},
                         {"hands_over", reached.release_used},
                         {"takes_over", reached.acquire_used},
                         {"met_in", std::move(met_in)},
                         {"writers", from_sites(reached.writers)}});
    }
    json accepted = json::array();
    for (const accepted_violation& each : result.accepted) {
        accepted.push_back({to_string(each.kind), each.file, each.line, each.executions});
    }
    json words = json::array();
    for (const atomic_states& each : result.atomics) words.push_back(from_atomic(each));
    json steps = json::array();
    for (const trace_step& step : result.trace) steps.push_back(from_step(step));
    return {{"verdict", to_string(result.verdict)},
            {"kind", result.kind ? json(to_string(*result.kind)) : json(nullptr)},
            {"message", result.message},
            {"limits", from_limits(result.limits)},
            {"executions", result.executions},
            {"blocked", result.blocked},
            {"complete", result.complete},
            {"stopped", result.stopped},
            {"seconds", result.seconds},
            {"threads", result.threads},
            {"concurrent", result.concurrent},
            {"outcomes", result.outcomes},
            {"examples", from_examples(result.examples)},
            {"faults_injected", result.faults_injected},
            {"faults_survived", result.faults_survived},
            {"sites", std::move(sites)},
            {"words", std::move(words)},
            {"accepted", std::move(accepted)},
            {"tried", from_tried(result.tried)},
            {"seen", from_seen(result.seen)},
            {"models", from_models(result.models)},
            {"simpler_may_exist", result.simpler_may_exist},
            {"replay", result.replay ? json(result.replay->text) : json(nullptr)},
            {"trace", std::move(steps)},
            {"part", result.part},
            {"environment", result.environment}};
}

search_result to_result(const json& value) {
    search_result result;
    result.verdict = required(parse_verdict(value.at("verdict").get<std::string>()));
    if (!value.at("kind").is_null()) result.kind = required(parse_violation_kind(value["kind"].get<std::string>()));
    value.at("message").get_to(result.message);
    for (const json& each : value.at("limits")) result.limits.push_back(to_limit(each));
    value.at("executions").get_to(result.executions);
    value.at("blocked").get_to(result.blocked);
    value.at("complete").get_to(result.complete);
    value.at("stopped").get_to(result.stopped);
    value.at("seconds").get_to(result.seconds);
    value.at("threads").get_to(result.threads);
    value.at("concurrent").get_to(result.concurrent);
    value.at("outcomes").get_to(result.outcomes);
    result.examples = to_examples(value.at("examples"));
    value.at("faults_injected").get_to(result.faults_injected);
    value.at("faults_survived").get_to(result.faults_survived);
    for (const json& reached : value.at("sites")) {
        result.sites.push_back({to_site(reached.at("where")), reached.at("crossed").get<bool>()});
        result.sites.back().writers = to_sites(reached.at("writers"));
        reached.at("hands_over").get_to(result.sites.back().release_used);
        reached.at("takes_over").get_to(result.sites.back().acquire_used);
        for (const json& each : reached.at("met_in")) {
            result.sites.back().writer_examples.push_back({each.get<std::string>()});
        }
    }
    for (const json& each : value.at("words")) result.atomics.push_back(to_atomic(each));
    for (const json& each : value.at("accepted")) {
        result.accepted.push_back({required(parse_violation_kind(each.at(0).get<std::string>())),
                                   each.at(1).get<std::string>(), each.at(2).get<std::uint32_t>(),
                                   each.at(3).get<std::uint64_t>()});
    }
    result.tried = to_tried(value.at("tried"));
    result.seen = to_seen(value.at("seen"));
    result.models = to_models(value.at("models"));
    value.at("simpler_may_exist").get_to(result.simpler_may_exist);
    if (!value.at("replay").is_null()) result.replay = choices{value["replay"].get<std::string>()};
    for (const json& step : value.at("trace")) result.trace.push_back(to_step(step));
    value.at("part").get_to(result.part);
    value.at("environment").get_to(result.environment);
    return result;
}

}  // namespace

std::string serialise(const search_result& result) {
    // Outcomes and messages come from the code on trial and may contain any bytes.
    return from_result(result).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<search_result> deserialise(std::string_view text) {
    try {
        return to_result(json::parse(text));
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace ordeal
