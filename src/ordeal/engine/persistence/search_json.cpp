// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/search_json.hpp"

#include "ordeal/engine/persistence/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <exception>

namespace ordeal::detail {

static void to_json(nlohmann::json& to, const choices& value) { to = value.text; }
static void from_json(const nlohmann::json& from, choices& value) { from.get_to(value.text); }

void fields(const auto& io, is<search_shard> auto& value) { io.items(value.index, value.count); }

void fields(const auto& io, is<search_options> auto& value) {
    io("overrides", value.mutant.overrides, parse_order_override);
    io("accept", value.accept, parse_acceptance);
    io.number("mode", value.strategy.mode, search_mode::surw);
    io("bound", value.strategy.bound);
    io("spurious", value.bounds.spurious);
    io("reuse", value.bounds.reuse);
    io("length", value.bounds.length);
    io.number("timeouts", value.bounds.time_limits, timeouts::late);
    io("model", value.model, parse_memory_model);
    io("examples", value.wanted.examples);
    io("words", value.wanted.atomic_states);
    io("used_orders", value.wanted.used_orders);
    io("reductions", value.reductions, parse_reductions);
    io("shard", value.shard);
}

// Names rather than numbers, so that reading detects values outside an enumeration.
void fields(const auto& io, is<site> auto& value) {
    io("file", value.key.file);
    io("line", value.key.line);
    io("column", value.key.column);
    io("role", value.key.what, parse_role);
    io("atomic", value.atomic);
    io("function", value.function);
    io("operation", value.operation);
    io("declared", value.declared, parse_order);
}

void fields(const auto& io, is<call_frame> auto& value) { io.items(value.function, value.file, value.line); }

void fields(const auto& io, is<trace_step> auto& value) {
    io("index", value.index);
    io("thread", value.thread);
    io("operation", value.operation);
    io("where", value.where);
    io("object", value.object);
    io("name", value.name);
    io("type", value.type);
    io("address", value.address);
    io("size", value.size);
    io("access", value.access, parse_step_access);
    io("order", value.using_order, parse_order);
    io("overridden", value.overridden);
    io("event_order", value.event_order, parse_order);
    io("before", value.before);
    io("after", value.after);
    io("second_before", value.second_before);
    io("second_after", value.second_after);
    io("before_name", value.before_name);
    io("after_name", value.after_name);
    io("coherence", value.coherence);
    io("reads_from", value.reads_from);
    io("woken_by", value.woken_by);
    io("stale", value.stale);
    io("clock", value.clock);
    io("calls", value.calls);
    io("note", value.note);
}

void fields(const auto& io, is<limit> auto& value) {
    io.items(value.id, value.sentence);
    io.item(value.effect, parse_limit_effect);
    io.item(value.parameters);
}

void fields(const auto& io, is<models_of_violation> auto& value) {
    io("strongest", value.strongest, parse_memory_model);
    io("excluded", value.excluded);
    io("cut_short", value.cut_short);
    io("by_letter", value.by_letter);
}

void fields(const auto& io, is<outcome_example> auto& value) {
    io.items(value.executions, value.difficulty, value.path);
}

void fields(const auto& io, is<seen_state> auto& value) { io.items(value.times, value.observers); }

void fields(const auto& io, is<state_transition> auto& value) { io.items(value.from, value.to, value.by, value.times); }

void fields(const auto& io, is<atomic_states> auto& value) {
    io("id", value.id);
    io("name", value.name);
    io("executions", value.executions);
    io("states", value.states);
    io("transitions", value.transitions);
    io("paths", value.paths);
    io("too_many", value.too_many);
}

void fields(const auto& io, is<reached_site> auto& value) {
    io("where", value.where);
    io("crossed", value.crossed);
    io("release_used", value.release_used);
    io("acquire_used", value.acquire_used);
    io("met_in", value.writer_examples);
    io("writers", value.writers);
}

void fields(const auto& io, is<accepted_violation> auto& value) {
    io.item(value.kind, parse_violation_kind);
    io.items(value.file, value.line, value.executions);
}

void fields(const auto& io, is<portfolio_result> auto& value) {
    io.item_number(value.mode, search_mode::surw);
    io.items(value.bound, value.depth, value.seed, value.executions, value.different, value.complete);
}

void fields(const auto& io, is<seen_so_far> auto& value) {
    io.items(value.graphs, value.pairs, value.newest_pair_after, value.more_pairs);
}

void fields(const auto& io, is<search_result> auto& value) {
    io("verdict", value.verdict, parse_verdict);
    io("kind", value.kind, parse_violation_kind);
    io("message", value.message);
    io("limits", value.limits);
    io("executions", value.executions);
    io("blocked", value.blocked);
    io("complete", value.complete);
    io("stopped", value.stopped);
    io("seconds", value.seconds);
    io("threads", value.threads);
    io("concurrent", value.concurrent);
    io("outcomes", value.outcomes);
    io("examples", value.examples);
    io("faults_injected", value.faults_injected);
    io("faults_survived", value.faults_survived);
    io("sites", value.sites);
    io("words", value.atomics);
    io("accepted", value.accepted);
    io("tried", value.portfolio_results);
    io("seen", value.seen);
    io("models", value.models);
    io("simpler_may_exist", value.simpler_may_exist);
    io("replay", value.replay);
    io("trace", value.trace);
    io("part", value.part);
    io("environment", value.environment);
}

namespace {

template <class T>
std::optional<T> parsed(std::string_view text) {
    try {
        T result;
        json_reader::read(parse_json(text), result);
        return result;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

std::string description_of(const search_options& how) {
    search_options counted = how;
    counted.reductions.snapshots = true;  // what a search counts does not depend on them
    return json_text(json_writer::of(counted));
}

std::optional<search_options> parse_description(std::string_view text) { return parsed<search_options>(text); }

std::string serialise(const search_result& result) {
    // Outcomes and messages come from the code on trial and may contain any bytes.
    return json_text(json_writer::of(result), -1, nlohmann::json::error_handler_t::replace);
}

std::optional<search_result> deserialise(std::string_view text) { return parsed<search_result>(text); }

}  // namespace ordeal::detail
