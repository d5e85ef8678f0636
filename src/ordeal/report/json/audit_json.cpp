// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/json/json_parts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/strict.hpp"

#include <algorithm>
#include <string>

namespace ordeal::detail {

namespace {

/// How a violation that the audit found is shown again.
class replay_of {
public:
    replay_of(const audit_token& token, const std::vector<acceptance>& accepted) : token_(token), accepted_(accepted) {}

    [[nodiscard]] std::string token(const shown_violation& shown) const { return token_(shown); }
    [[nodiscard]] std::string line(const shown_violation& shown) const { return replay_line(token_(shown), accepted_); }

private:
    const audit_token& token_;
    const std::vector<acceptance>& accepted_;
};

ordered_json json_of_costs(const std::vector<target_cost>& costs) {
    ordered_json result = ordered_json::object();
    for (const target_cost& each : costs) {
        result[std::string(to_string(each.on))] = {{"cost", each.cost}, {"instructions", each.instructions}};
    }
    return result;
}

// "scenario" to "replay_command".
void add_violation(ordered_json& entry, const shown_violation& shown, const replay_of& again) {
    entry["scenario"] = null_if_empty(shown.scenario);
    entry["kind"] = json_of(shown.kind);
    entry["message"] = null_if_empty(shown.message);
    entry["exists_under"] = json_of(shown.models);
    add_limits(entry, shown.limits);
    entry["replay"] = null_if_empty(again.token(shown));
    entry["replay_command"] = null_if_empty(again.line(shown));
}

ordered_json json_of_order(const audited_order& tried, const replay_of& again) {
    ordered_json entry{
        {"order", to_string(tried.tried)}, {"verdict", to_string(tried.verdict)}, {"note", null_if_empty(tried.note)}};
    add_violation(entry, tried, again);
    entry["costs"] = json_of_costs(tried.costs);
    entry["searches"] = tried.searches;
    entry["executions"] = tried.executions;
    return entry;
}

// "set src/ordeal/coro/manual_reset_event.hpp:115", each once.
std::vector<std::string> names_of(const std::vector<site>& sites) {
    std::vector<std::string> result;
    for (const site& each : sites) {
        std::string name = each.function + " " + each.key.file + ":" + std::to_string(each.key.line);
        if (std::ranges::find(result, name) == result.end()) result.push_back(std::move(name));
    }
    return result;
}

ordered_json json_of_site(const audited_site& audited, const replay_of& again) {
    ordered_json entry = json_of(audited.where);
    entry.update({{"verdict", to_string(audited.verdict)},
                  {"note", audited.note},
                  {"scope", null_if_empty(audited.scope)},
                  {"reason", null_if_empty(audited.reason)},
                  {"doubts", audited.doubts},
                  {"on_purpose", audited.on_purpose},
                  {"met_in", audited.met_in},
                  {"run_in", audited.run_in},
                  {"reads_from", names_of(audited.reads_from)},
                  {"read_by", names_of(audited.read_by)},
                  {"stronger", audited.stronger ? ordered_json(to_string(*audited.stronger)) : ordered_json(nullptr)},
                  {"costs", json_of_costs(audited.costs)},
                  {"weaker",
                   array_of(audited.weaker, [&](const audited_order& tried) { return json_of_order(tried, again); })}});
    return entry;
}

ordered_json json_of_assignment(const joint_assignment& one) {
    ordered_json entry{{"orders", array_of(one.orders, [](order each) { return to_string(each); })},
                       {"weaker_than_written", one.weaker},
                       {"costs", json_of_costs(one.costs)}};
    add_limits(entry, one.limits);
    return entry;
}

ordered_json json_of_violation(const shown_violation& shown, const replay_of& again) {
    ordered_json entry{{"changes", json_of(shown.overrides)}};
    add_violation(entry, shown, again);
    return entry;
}

ordered_json json_of_joint(const joint_table& table, const replay_of& again) {
    ordered_json sites = ordered_json::array();
    for (const site& each : table.sites) sites.emplace_back(json_of(each.key))["declared"] = to_string(each.declared);
    const auto number_of = [&](const site& each) {
        const auto place = std::ranges::find_if(
            table.sites, [&](const site& other) { return other.key == each.key && other.declared == each.declared; });
        return place - table.sites.begin();
    };
    return {{"sites", std::move(sites)},
            {"vacuous", array_of(table.vacuous, number_of)},
            {"costs", json_of_costs(table.costs)},
            {"assignments", array_of(table.minimal, json_of_assignment)},
            {"complete", table.complete},
            {"note", null_if_empty(table.note)},
            {"all_at_once", table.all_at_once ? json_of_violation(*table.all_at_once, again) : ordered_json(nullptr)}};
}

ordered_json json_of_scenario(const audited_scenario& audited) {
    ordered_json result{{"name", audited.what->name}};
    add_verdict(result, audited.result);
    result["as_expected"] = audited.as_expected;
    add_limits(result, audited.result.limits);
    result["executions"] = audited.result.executions;
    result["blocked"] = audited.result.blocked;
    result["complete"] = audited.result.complete;
    result["outcomes"] = audited.result.outcomes;
    if (!audited.result.accepted.empty()) result["accepted"] = json_of(audited.result.accepted);
    return result;
}

ordered_json json_of_repair(const repair& found) {
    ordered_json entry{{"changes", json_of(found.changes)},
                       {"costs_written", json_of_costs(found.written)},
                       {"costs", json_of_costs(found.costs)},
                       {"diff", found.diff}};
    add_limits(entry, found.limits);
    return entry;
}

ordered_json json_of_score(const audit_score& score) {
    return {{"injected", score.injected}, {"detected", score.detected}, {"detected_by", score.detected_by}};
}

ordered_json json_of_subject(const audited_subject& subject, const replay_of& again) {
    const auto with_replay = [&](auto make) { return [&again, make](const auto& each) { return make(each, again); }; };
    return {{"name", subject.name},
            {"verdict", to_string(subject.verdict)},
            {"kind", json_of(subject.kind)},
            {"exhibit", subject.exhibit},
            {"as_expected", subject.as_expected},
            {"searches", subject.searches},
            {"executions", subject.executions},
            {"searches_known", subject.repeated},
            {"searches_implied", subject.implied},
            {"seconds", subject.seconds},
            {"complete", subject.complete},
            {"scope", null_if_empty(subject.scope)},
            {"note", null_if_empty(subject.note)},
            {"score", subject.verdict == verdict::violated ? ordered_json(nullptr) : json_of_score(score_of(subject))},
            {"scenarios", array_of(subject.scenarios, json_of_scenario)},
            {"sites", array_of(subject.sites, with_replay(json_of_site))},
            {"minimal_assignments", array_of(subject.joint, with_replay(json_of_joint))},
            {"repairs", array_of(subject.repairs, json_of_repair)}};
}

ordered_json json_of_comparison(const baseline_comparison& made) {
    ordered_json differences = array_of(made.differences, [](const baseline_difference& each) -> ordered_json {
        return {{"subject", each.subject}, {"what", each.what}, {"sentence", each.sentence}};
    });
    return {{"file", made.file}, {"differences", std::move(differences)}, {"subjects_left_out", made.left_out}};
}

}  // namespace

ordered_json audit_document(const audit_report& report, const audit_token& token_of) {
    const replay_of again(token_of, report.how.accept);
    ordered_json result = json_head();
    result["engine"] = report.engine;
    result["model"] = to_string(report.model);
    result["subjects"] =
        array_of(report.subjects, [&](const audited_subject& each) { return json_of_subject(each, again); });
    if (report.fix) result["fix"] = json_of(*report.fix);
    result["search"] = json_of(report.how);
    result["cut_short"] = json_of(cut_short_of(report));
    result["require_complete"] = report.require_complete;
    result["stopped_early"] = report.stopped;
    if (report.baseline) result["baseline"] = json_of_comparison(*report.baseline);
    if (report.strict) result["strict"] = json_of(*report.strict);
    result["seconds"] = report.seconds;
    return result;
}

namespace {

void add_trace(ordered_json& entry, const audited_subject& subject, const shown_violation& shown) {
    const auto of = std::ranges::find_if(
        subject.scenarios, [&](const audited_scenario& each) { return each.what->name == shown.scenario; });
    if (of == subject.scenarios.end() || shown.trace.empty()) return;
    add_trace(entry, *of->what, shown.trace, shown.why);
}

void add_traces(ordered_json& entry, const audited_subject& subject) {
    for (std::size_t i = 0; i < subject.scenarios.size(); ++i) {
        const audited_scenario& each = subject.scenarios[i];
        if (!each.result.trace.empty()) add_trace(entry["scenarios"][i], *each.what, each.result.trace, each.why);
    }
    for (std::size_t i = 0; i < subject.sites.size(); ++i) {
        const auto& weaker = subject.sites[i].weaker;
        for (std::size_t j = 0; j < weaker.size(); ++j) add_trace(entry["sites"][i]["weaker"][j], subject, weaker[j]);
    }
    for (std::size_t i = 0; i < subject.joint.size(); ++i) {
        const auto& shown = subject.joint[i].all_at_once;
        if (shown) add_trace(entry["minimal_assignments"][i]["all_at_once"], subject, *shown);
    }
}

}  // namespace

void add_traces(ordered_json& document, const audit_report& report) {
    for (std::size_t i = 0; i < report.subjects.size(); ++i) add_traces(document["subjects"][i], report.subjects[i]);
}

}  // namespace ordeal::detail
