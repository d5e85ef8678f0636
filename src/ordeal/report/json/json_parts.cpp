// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/json/json_parts.hpp"

#include "ordeal/explain/step_words.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/value_names.hpp"

namespace ordeal::detail {

namespace {

ordered_json json_of_calls(const std::vector<call_frame>& calls) {
    return array_of(calls, [](const call_frame& each) -> ordered_json {
        return {{"function", each.function}, {"file", each.file}, {"line", each.line}};
    });
}

ordered_json name_of(value_names& names, const std::optional<std::uint64_t>& value,
                     const std::optional<std::uint64_t>& second, const std::string& in_source) {
    if (!value) return nullptr;
    return in_source.empty() ? names.of(*value, second) : in_source;
}

ordered_json index_of(const trace& steps, const std::optional<std::size_t>& position) {
    if (!position) return nullptr;
    return steps[*position].index;
}

}  // namespace

ordered_json json_head() { return {{"schema", report_schema}, {"tool", "ordeal"}, {"version", program_version()}}; }

ordered_json json_of(const std::optional<violation_kind>& kind) {
    if (!kind) return nullptr;
    return to_string(*kind);
}

ordered_json json_of(const std::optional<models_of_violation>& models) {
    if (!models) return nullptr;
    ordered_json result{
        {"strongest", to_string(models->strongest)}, {"excluded", models->excluded}, {"sentence", words(*models)}};
    if (models->cut_short) result["cut_short"] = true;
    if (!models->by_letter) result["by_letter"] = false;
    return result;
}

ordered_json json_of(const trace& steps) {
    value_names names;
    ordered_json result = ordered_json::array();
    for (const trace_step& step : steps) {
        const bool placed = step.where.key.line != 0;
        result.push_back({
            {"step", step.index},
            {"thread", step.thread},
            {"operation", step.operation},
            {"object", null_if_empty(step.object)},
            {"name", null_if_empty(step.name)},
            {"type", null_if_empty(step.type)},
            {"access", to_string(step.access)},
            {"order", step.using_order ? ordered_json(to_string(*step.using_order)) : ordered_json(nullptr)},
            {"overridden", step.overridden},
            {"before", name_of(names, step.before, step.second_before, step.before_name)},
            {"after", name_of(names, step.after, step.second_after, step.after_name)},
            {"coherence", null_if_none(step.coherence)},
            {"reads_from", null_if_none(step.reads_from)},
            {"woken_by", null_if_none(step.woken_by)},
            {"stale", step.stale},
            {"file", placed ? ordered_json(step.where.key.file) : ordered_json(nullptr)},
            {"line", placed ? ordered_json(step.where.key.line) : ordered_json(nullptr)},
            {"function", null_if_empty(step.where.function)},
            {"calls", json_of_calls(step.calls)},
            {"clock", step.clock},
            {"note", null_if_empty(step.note)},
        });
    }
    return result;
}

ordered_json json_of(const site_key& key) {
    return {{"file", key.file}, {"line", key.line}, {"column", key.column}, {"role", to_string(key.what)}};
}

ordered_json json_of(const site& where) {
    return {{"file", where.key.file},
            {"line", where.key.line},
            {"column", where.key.column},
            {"function", where.function},
            {"operation", where.operation},
            {"role", to_string(where.key.what)},
            {"declared", to_string(where.declared)}};
}

ordered_json json_of(const std::optional<processors::allowances>& all) {
    if (!all) return nullptr;
    ordered_json result = ordered_json::object();
    for (const target each : all_targets)
        result[std::string(to_string(each))] = processors::to_string((*all)[static_cast<std::size_t>(each)]);
    return result;
}

ordered_json json_of(const explanation& why, const trace& steps) {
    ordered_json links = ordered_json::array();
    ordered_json ends = ordered_json::array();
    for (const step_link& each : why.links) {
        ends.push_back({each.from, each.to});
        links.push_back({{"from", steps[each.from].index},
                         {"to", steps[each.to].index},
                         {"relation", to_string(each.relation)},
                         {"missing", each.missing},
                         {"words", null_if_empty(each.description)}});
    }
    ordered_json letters = ordered_json::object();
    ordered_json letter_of_each = ordered_json::array();
    for (std::size_t i = 0; i < why.letters.size(); ++i) {
        letter_of_each.push_back(null_if_empty(why.letters[i]));
        if (!why.letters[i].empty()) letters[std::to_string(steps[i].index)] = why.letters[i];
    }
    // Two steps of a trace may have one number.
    ordered_json positions{{"first", null_if_none(why.first)},
                           {"second", null_if_none(why.second)},
                           {"letters", std::move(letter_of_each)},
                           {"links", std::move(ends)}};
    return {{"conclusion", why.conclusion},          {"first", index_of(steps, why.first)},
            {"second", index_of(steps, why.second)}, {"links", std::move(links)},
            {"letters", std::move(letters)},         {"positions", std::move(positions)},
            {"processors", json_of(why.processors)}};
}

ordered_json json_of(const std::vector<order_override>& changes) {
    return array_of(changes, [](const order_override& change) {
        ordered_json entry = json_of(change.site);
        entry["declared"] = change.declared ? ordered_json(to_string(*change.declared)) : ordered_json(nullptr);
        entry["position"] = to_string(change.position);
        entry["order"] = to_string(change.replacement);
        return entry;
    });
}

ordered_json json_of(const std::vector<accepted_violation>& met) {
    return array_of(met, [](const accepted_violation& each) -> ordered_json {
        return {
            {"kind", to_string(each.kind)}, {"file", each.file}, {"line", each.line}, {"executions", each.executions}};
    });
}

ordered_json json_of(const std::vector<shortfall>& values) {
    return array_of(values, [](const shortfall& each) -> ordered_json {
        return {{"of", each.of}, {"element", null_if_empty(each.element)}, {"why", each.why}};
    });
}

ordered_json json_of(const search_options& how) {
    return {{"argument", search_argument(how)},
            {"seed", null_if_none(seed_of(how))},
            {"time_budget", how.resources.seconds > 0 ? ordered_json(how.resources.seconds) : ordered_json(nullptr)},
            {"spurious", how.bounds.spurious},
            {"reuse", how.bounds.reuse},
            {"timeouts", how.bounds.time_limits == timeouts::late ? "late" : "any"}};
}

ordered_json null_if_empty(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json for_readers(const ordered_json& value) {
    if (value.is_string()) return escaped_value(value.get_ref<const std::string&>());
    if (!value.is_structured()) return value;
    ordered_json result = value.is_object() ? ordered_json::object() : ordered_json::array();
    if (value.is_array()) {
        for (const ordered_json& each : value) result.push_back(for_readers(each));
    } else {
        for (const auto& [key, each] : value.items()) {
            const bool message = (key == "message" || key == "note") && each.is_string();
            result[escaped_value(cut_short(key))] =
                for_readers(message ? ordered_json(cut_short(each.get_ref<const std::string&>())) : each);
        }
    }
    return result;
}

std::string dumped(const ordered_json& value) {
    // Messages and outcomes come from the code on trial and may hold any bytes.
    return escaped_json(value.dump(2, ' ', false, ordered_json::error_handler_t::replace)) + '\n';
}

ordered_json json_of(const std::vector<limit>& limits) {
    return array_of(limits, [](const limit& each) -> ordered_json {
        return {{"id", each.id},
                {"sentence", each.sentence},
                {"effect", to_string(each.effect)},
                {"parameters", each.parameters}};
    });
}

void add_verdict(ordered_json& entry, const search_result& result) {
    entry["verdict"] = to_string(result.verdict);
    entry["kind"] = json_of(result.kind);
    entry["message"] = null_if_empty(result.message);
    entry["exists_under"] = json_of(result.models);
}

void add_expectation(ordered_json& entry, const expectation& expected) {
    entry["expected"] = expected.violation ? "violated" : "held";
    entry["expected_kind"] = json_of(expected.violation);
    entry["expected_words"] = null_if_empty(expected.words);
}

void add_limits(ordered_json& entry, const std::vector<limit>& limits) {
    entry["limits"] = sentences_of(limits);
    entry["limit_details"] = json_of(limits);
}

void add_trace(ordered_json& entry, const scenario& what, const trace& steps, const explanation& why) {
    entry["threads"] = thread_names(what, steps);
    entry["explanation"] = json_of(why, steps);
    entry["trace"] = json_of(steps);
}

ordered_json json_of(const source_fix& fix) {
    ordered_json changes = array_of(fix.changes, [](const site_change& change) {
        ordered_json entry = json_of(change.where.key);
        entry["operation"] = change.where.operation;
        entry["declared"] = to_string(change.where.declared);
        entry["order"] = to_string(change.replacement);
        entry["reason"] = null_if_empty(change.reason);
        return entry;
    });
    const std::string diff = unified_diff(fix.patch);
    return {{"subject", fix.subject},
            {"kind", fix.repairs ? "repair" : "assignment"},
            {"number", fix.number == 0 ? ordered_json(nullptr) : ordered_json(fix.number)},
            {"choices", fix.choices},
            {"nothing_to_change", null_if_empty(fix.nothing)},
            {"changes", std::move(changes)},
            {"limit_details", json_of(fix.limits)},
            {"refused", fix.patch.refusals},
            {"diff", null_if_empty(diff)},
            {"written", fix.written},
            {"trouble", null_if_empty(fix.trouble)}};
}

}  // namespace ordeal::detail
