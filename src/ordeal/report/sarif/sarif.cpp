// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/step_words.hpp"
#include "ordeal/report/escaped_text.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/json/json_parts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/sarif/sarif_parts.hpp"
#include "ordeal/report/strict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ordeal::detail {

namespace {

// "data race" -> "data-race": a rule's name has no blanks.
std::string rule_id(std::string_view words) {
    std::string id(words);
    std::ranges::replace(id, ' ', '-');
    return id;
}

// The last step that stands in a file of the project: the violating one, or what its thread did before.
const trace_step* violating_step(const trace& steps) {
    const auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), [&](const trace_step& step) {
        return has_location(step.where) && step.thread == steps.back().thread;
    });
    if (last != steps.rend()) return &*last;
    const auto any =
        std::find_if(steps.rbegin(), steps.rend(), [](const auto& step) { return has_location(step.where); });
    return any == steps.rend() ? nullptr : &*any;
}

std::string words_of(const trace_step& step) {
    std::string text = step.operation;
    if (step.using_order) text += fmt::format(" {}", to_string(*step.using_order));
    if (!step.object.empty()) text += ' ' + step.object;
    if (step.reads_from) text += fmt::format(", reads step {}", *step.reads_from);
    if (step.stale) text += ", stale";
    return text;
}

// One thread flow for each thread; `executionOrder` is the order of all steps.
ordered_json code_flow(const scenario& what, const trace& steps) {
    std::map<int, ordered_json> threads;
    for (const trace_step& step : steps) {
        if (!has_location(step.where)) continue;
        auto& locations = threads.try_emplace(step.thread, ordered_json::array()).first->second;
        locations.push_back({{"location", location_of(step.where, words_of(step))}, {"executionOrder", step.index}});
    }
    const std::vector<std::string> names = thread_names(what, steps);
    ordered_json flows = ordered_json::array();
    for (auto& [thread, locations] : threads) {
        const bool is_a_thread = thread >= 0;
        flows.push_back(
            {{"id", is_a_thread ? names[static_cast<std::size_t>(thread)] : "construction, finish and destruction"},
             {"locations", std::move(locations)}});
    }
    return {{"threadFlows", std::move(flows)}};
}

ordered_json result_of(std::string_view rule, std::string_view level, const std::string& message) {
    return {{"ruleId", rule_id(rule)}, {"level", level}, {"message", {{"text", message}}}};
}

// The message puts the stops itself.
std::string sentence_without_stop(const models_of_violation& models) {
    std::string text = words(models);
    text.pop_back();
    return text;
}

// Everything that a search was asked for and did; SARIF has no other place for it.
ordered_json properties_of(const search_result& result, const search_options& how) {
    ordered_json properties{{"executions", result.executions},
                            {"blocked", result.blocked},
                            {"complete", result.complete},
                            {"search", json_of(how)}};
    if (!result.limits.empty()) properties["limits"] = json_of(result.limits);
    return properties;
}

ordered_json search_of(const scenario& what, std::string_view engine, const search_result& result,
                       const search_options& how) {
    ordered_json entry{{"scenario", what.name}, {"engine", engine}, {"verdict", words(result)}};
    entry.update(properties_of(result, how));
    return entry;
}

ordered_json surprise(const scenario& what, const search_result& result, const search_options& how,
                      const std::string& replay) {
    std::string message = what.name + ": " + unexpected_verdict_text(what.expected, result);
    if (!result.message.empty()) message += ": " + cut_short(result.message);
    if (result.models) message += ". " + sentence_without_stop(*result.models);
    message += limit_clauses(result.limits);
    if (!replay.empty()) message += ". To see it again: " + replay;
    const bool violated = result.verdict == verdict::violated && result.kind;
    ordered_json entry = result_of(violated ? to_string(*result.kind) : "unexpected verdict", "error", message);
    entry["properties"] = properties_of(result, how);
    std::string fingerprint =
        fmt::format("{}|{}", what.name, violated ? to_string(*result.kind) : to_string(result.verdict));
    if (const trace_step* const step = violating_step(result.trace)) {
        fingerprint += fmt::format("|{}|{}|{}", step->where.key.file, step->where.function, step->operation);
        entry["locations"] = ordered_json::array({location_of(step->where)});
        entry["codeFlows"] = ordered_json::array({code_flow(what, result.trace)});
    }
    entry["partialFingerprints"] = {{"ordealFinding/v1", fingerprint}};
    return entry;
}

// The line that replays a violation found before any order was changed.
std::string as_written(const audited_scenario& audited, const audit_report& report, const audit_token& token_of) {
    shown_violation unchanged;
    unchanged.scenario = audited.what->name;
    unchanged.replay = audited.result.replay;
    return replay_line(token_of(unchanged), report.how.accept);
}

ordered_json site_result(const audited_subject& subject, const audited_site& audited,
                         const std::vector<source_fix>& fixes) {
    const bool too_weak = audited.verdict == site_verdict::too_weak;
    const site& where = audited.where;
    std::string message = fmt::format("{}: {} {} in {} is {}", subject.name, where.operation, to_string(where.declared),
                                      where.function, to_string(audited.verdict));
    if (audited.stronger) message += fmt::format(", needs {}", to_string(*audited.stronger));
    if (!audited.scope.empty()) message += " " + audited.scope;
    if (!audited.note.empty()) message += ": " + audited.note;
    if (!audited.reason.empty()) message += ". The author: " + audited.reason;
    ordered_json entry =
        result_of(to_string(audited.verdict), too_weak && !subject.exhibit ? "warning" : "note", message);
    if (has_location(where)) entry["locations"] = ordered_json::array({location_of(where)});
    entry["partialFingerprints"] = {{"ordealSite/v1", fingerprint_of(subject, audited)}};
    add_fixes(entry, audited, fixes);
    return entry;
}

// Rules are those that the results name, in alphabetical order.
ordered_json rules_for(ordered_json& results) {
    std::map<std::string, std::size_t> ids;
    for (const ordered_json& each : results) ids.emplace(each.at("ruleId").get<std::string>(), 0);
    ordered_json rules = ordered_json::array();
    for (auto& [id, index] : ids) {
        index = rules.size();
        std::string words = id;
        std::ranges::replace(words, '-', ' ');
        rules.push_back({{"id", id}, {"shortDescription", {{"text", words}}}});
    }
    for (ordered_json& each : results) each["ruleIndex"] = ids.at(each.at("ruleId").get<std::string>());
    return rules;
}

/// What is said of the run as a whole.
struct run_notes {
    std::string not_run;  ///< why not everything was run; empty: it was
    std::vector<shortfall> cut_short;
    bool require_complete = false;
    ordered_json searches = ordered_json::array();
};

ordered_json notification(std::string_view level, const std::string& text) {
    return {{"level", level}, {"message", {{"text", text}}}};
}

ordered_json log(ordered_json results, run_notes notes) {
    ordered_json invocation{{"executionSuccessful", notes.not_run.empty()}};
    ordered_json said = ordered_json::array();
    if (!notes.not_run.empty()) said.push_back(notification("error", notes.not_run));
    for (const shortfall& each : notes.cut_short) {
        said.push_back(notification(notes.require_complete ? "error" : "warning", words(each)));
    }
    if (!said.empty()) invocation["toolExecutionNotifications"] = std::move(said);
    ordered_json rules = rules_for(results);
    ordered_json run{
        {"tool", {{"driver", {{"name", "ordeal"}, {"version", program_version()}, {"rules", std::move(rules)}}}}},
        {"invocations", ordered_json::array({std::move(invocation)})},
        {"originalUriBaseIds", {{"SRCROOT", {{"description", {{"text", "the root of the project"}}}}}}},
        {"columnKind", "utf16CodeUnits"},
        {"results", std::move(results)},
        {"properties", {{"searches", std::move(notes.searches)}}},
    };
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", ordered_json::array({std::move(run)})}};
}

}  // namespace

ordered_json check_log(const check_report& report) {
    ordered_json results = ordered_json::array();
    run_notes notes{.not_run = why_not_all_ran(report),
                    .cut_short = cut_short_of(report),
                    .require_complete = report.require_complete};
    for (const checked_scenario& checked : report.scenarios) {
        notes.searches.push_back(search_of(*checked.what, checked.engine, checked.result, report.how));
        if (checked.as_expected || checked.explained) continue;
        results.push_back(surprise(*checked.what, checked.result, report.how, replay_line(checked)));
    }
    for (const comparison& made : report.comparisons) {
        if (made.verdict != agreement::failed) continue;
        results.push_back(result_of("engines disagree", "error", made.what->name + ": " + made.message));
    }
    return log(std::move(results), std::move(notes));
}

ordered_json audit_log(const audit_report& report, const audit_token& token_of) {
    ordered_json results = ordered_json::array();
    run_notes notes{.not_run = {}, .cut_short = cut_short_of(report), .require_complete = report.require_complete};
    for (const audited_subject& subject : report.subjects) {
        for (const audited_scenario& each : subject.scenarios) {
            notes.searches.push_back(search_of(*each.what, report.engine, each.result, report.how));
            if (each.as_expected) continue;
            results.push_back(surprise(*each.what, each.result, report.how, as_written(each, report, token_of)));
        }
        const std::vector<source_fix> fixes = fixes_of(subject);
        for (const audited_site& each : subject.sites) {
            const bool said =
                each.verdict == site_verdict::too_weak || each.verdict == site_verdict::stronger_than_needed;
            if (said) results.push_back(site_result(subject, each, fixes));
        }
    }
    if (report.subjects.empty()) notes.not_run = "nothing ran";
    if (report.stopped) notes.not_run = "stopped early: what was not searched is undecided";
    return log(std::move(results), std::move(notes));
}

namespace {

class sarif_writer final : public report_format {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "sarif"; }
    [[nodiscard]] std::string_view about() const noexcept override { return "Write SARIF 2.1.0"; }
    [[nodiscard]] std::string check(const check_report& report, const report_context& /*with*/) const override {
        return dumped(for_readers(check_log(report)));
    }
    [[nodiscard]] std::string audit(const audit_report& report, const report_context& with) const override {
        return dumped(for_readers(audit_log(report, with.token_of)));
    }
};

}  // namespace

const report_format& sarif_format() {
    static const sarif_writer it;
    return it;
}

}  // namespace ordeal::detail
