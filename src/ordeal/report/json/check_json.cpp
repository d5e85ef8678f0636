// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/explain/step_words.hpp"
#include "ordeal/report/client_behaviours.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/json/json_parts.hpp"
#include "ordeal/report/pasted_lines.hpp"
#include "ordeal/report/state_chart.hpp"
#include "ordeal/report/strict.hpp"

#include <algorithm>
#include <ranges>

namespace ordeal::detail {

namespace {

ordered_json json_of_sites(const std::vector<site>& sites) {
    return array_of(sites, [](const site& each) { return json_of(each); });
}

/// Sites, and who read from whom.
ordered_json coverage_json(const search_result& result) {
    auto reached = result.sites;
    std::ranges::sort(reached, {}, [](const reached_site& each) { return each.where.key; });
    ordered_json sites = ordered_json::array();
    for (reached_site& each : reached) {
        ordered_json entry = json_of(each.where);
        entry["crossed"] = each.crossed;
        std::ranges::sort(each.writers, {}, &site::key);
        entry["reads_from"] = json_of_sites(each.writers);
        sites.push_back(std::move(entry));
    }
    ordered_json left_out = ordered_json::array();
    for (const atomic_states& atomic : result.atomics) {
        if (atomic.too_many) left_out.push_back(atomic.name);
    }
    return {{"sites", std::move(sites)}, {"too_many_states", std::move(left_out)}};
}

ordered_json chart_json(const state_chart& chart) {
    ordered_json states = ordered_json::array();
    for (const std::string& name : chart.states) {
        const auto observers = chart.observers.find(name);
        states.push_back({{"state", name},
                          {"times", chart.times.at(name)},
                          {"observers", observers == chart.observers.end() ? ordered_json::array()
                                                                           : json_of_sites(observers->second)}});
    }
    ordered_json transitions = ordered_json::array();
    for (const auto& by : chart.transitions | std::views::values) {
        for (const state_transition& each : by) {
            transitions.push_back(
                {{"from", each.from}, {"to", each.to}, {"times", each.times}, {"by", json_of(each.by)}});
        }
    }
    return {{"subject", chart.subject},   {"files", chart.files},        {"scenarios", chart.scenarios},
            {"complete", chart.complete}, {"states", std::move(states)}, {"transitions", std::move(transitions)},
            {"paths", chart.paths},       {"other_paths", chart.other},  {"lives", chart.told}};
}

ordered_json json_of_portfolio_result(const portfolio_result& of) {
    search_options how;
    how.strategy.mode = of.mode;
    how.strategy.bound = of.mode == search_mode::preemptions ? of.bound : of.executions;
    how.strategy.depth = of.depth;
    const auto seed = seed_of(how) ? ordered_json(of.seed) : ordered_json(nullptr);
    ordered_json result{
        {"search", search_argument(how)}, {"seed", seed}, {"executions", of.executions}, {"complete", of.complete}};
    if (of.different > 0) result["different"] = of.different;
    if (of.mode == search_mode::full) result["spurious"] = result["reuse"] = of.bound;
    return result;
}

ordered_json json_of_seen(const seen_so_far& seen) {
    return {{"graphs", seen.graphs},
            {"reads_from_pairs", seen.pairs},
            {"newest_pair_after", seen.newest_pair_after},
            {"more_pairs_tried", seen.more_pairs}};
}

ordered_json json_of_checked(const checked_scenario& checked, const check_report& report) {
    const search_result& result = checked.result;
    ordered_json entry{{"name", checked.what->name},
                       {"subject", checked.what->subject},
                       {"engine", checked.engine},
                       {"model", to_string(checked.model)}};
    add_verdict(entry, result);
    add_expectation(entry, checked.what->expected);
    entry["as_expected"] = checked.as_expected;
    entry["explained"] = checked.explained;
    add_limits(entry, result.limits);
    entry["executions"] = result.executions;
    entry["blocked"] = result.blocked;
    entry["complete"] = result.complete;
    entry["seconds"] = result.seconds;
    entry["replay"] = null_if_empty(checked.token);
    entry["replay_command"] = null_if_empty(replay_line(checked));
    entry["outcomes"] = result.outcomes;
    if (const auto behaviours = behaviours_of(checked)) entry["outcomes_not_shown"] = behaviours->not_shown;
    entry["exhibit"] = checked.what->exhibit;
    entry["about"] = null_if_empty(checked.what->about);
    if (result.threads > 0) entry["thread_count"] = result.threads;
    if (!result.accepted.empty()) entry["accepted"] = json_of(result.accepted);
    if (!result.complete && result.seen != seen_so_far{}) entry["seen"] = json_of_seen(result.seen);
    if (!result.portfolio_results.empty())
        entry["tried"] = array_of(result.portfolio_results, json_of_portfolio_result);
    if (report.lists_outcomes) entry["outcome_examples"] = checked.example_tokens;
    if (report.lists_coverage) entry["coverage"] = coverage_json(result);
    if (checked.example) {
        const trace& steps = checked.example->result.trace;
        entry["example"] = {{"outcome", checked.example->outcome},
                            {"replay", checked.example->token},
                            {"threads", thread_names(*checked.what, steps)},
                            {"trace", json_of(steps)}};
    }
    if (result.verdict == verdict::violated) add_trace(entry, *checked.what, result.trace, checked.why);
    if (checked.repair) {
        entry["repair"] = {{"changes", json_of(checked.repair->changes)},
                           {"limit_details", json_of(checked.repair->limits)}};
    }
    return entry;
}

ordered_json json_of_engines(const comparison& made) {
    return {{"scenario", made.what->name},
            {"engines", {made.first, made.second}},
            {"agree", made.verdict == agreement::agree},
            {"verdict", to_string(made.verdict)},
            {"explained_by", sentences_of(made.explained_by)},
            {"message", made.message}};
}

}  // namespace

ordered_json list_document(const list_report& report) {
    ordered_json list = ordered_json::array();
    for (const auto& [what, engines] : report.scenarios) {
        ordered_json& entry = list.emplace_back(ordered_json{{"name", what->name},
                                                             {"subject", what->subject},
                                                             {"about", null_if_empty(what->about)},
                                                             {"exhibit", what->exhibit},
                                                             {"threads", what->threads},
                                                             {"engines", engines},
                                                             {"real_threads", what->real.run != nullptr}});
        add_expectation(entry, what->expected);
    }
    ordered_json result = json_head();
    result["scenarios"] = std::move(list);
    return result;
}

ordered_json check_document(const check_report& report) {
    ordered_json result = json_head();
    result["scenarios"] =
        array_of(report.scenarios, [&](const checked_scenario& each) { return json_of_checked(each, report); });
    if (!report.comparisons.empty()) result["comparison"] = array_of(report.comparisons, json_of_engines);
    result["search"] = json_of(report.how);
    result["cut_short"] = json_of(cut_short_of(report));
    result["require_complete"] = report.require_complete;
    if (report.lists_coverage) result["state_charts"] = array_of(state_charts(report.scenarios), chart_json);
    result["stopped_early"] = report.stopped_early;
    result["not_begun"] = report.not_begun;
    if (report.strict) result["strict"] = json_of(*report.strict);
    result["seconds"] = report.seconds;
    return result;
}

ordered_json replay_document(const replay_report& report) {
    ordered_json result = json_head();
    result["name"] = report.what->name;
    result["subject"] = report.what->subject;
    result["engine"] = report.engine;
    result["model"] = to_string(report.model);
    result["replay"] = report.token;
    result["replay_command"] = replay_line(report.token, report.accept);
    result["overrides"] = json_of(report.overrides);
    add_verdict(result, report.result);
    add_limits(result, report.result.limits);
    add_trace(result, *report.what, report.result.trace, report.why);
    return result;
}

}  // namespace ordeal::detail
