// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/json/coverage_json.hpp"

#include <algorithm>
#include <ranges>

namespace ordeal::detail {

namespace {

ordered_json json_of_site(const site& of) {
    return {{"file", of.key.file},
            {"line", of.key.line},
            {"column", of.key.column},
            {"function", of.function},
            {"operation", of.operation},
            {"role", to_string(of.key.what)},
            {"declared", to_string(of.declared)}};
}

ordered_json json_of_sites(const std::vector<site>& sites) {
    ordered_json result = ordered_json::array();
    for (const site& each : sites) result.push_back(json_of_site(each));
    return result;
}

}  // namespace

ordered_json coverage_json(const search_result& result) {
    auto reached = result.sites;
    std::ranges::sort(reached, {}, [](const reached_site& each) { return each.where.key; });
    ordered_json sites = ordered_json::array();
    for (reached_site& each : reached) {
        ordered_json entry = json_of_site(each.where);
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
                {{"from", each.from}, {"to", each.to}, {"times", each.times}, {"by", json_of_site(each.by)}});
        }
    }
    return {{"subject", chart.subject},   {"files", chart.files},        {"scenarios", chart.scenarios},
            {"complete", chart.complete}, {"states", std::move(states)}, {"transitions", std::move(transitions)},
            {"paths", chart.paths},       {"other_paths", chart.other},  {"lives", chart.told}};
}

}  // namespace ordeal::detail
