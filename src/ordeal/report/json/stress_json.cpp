// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/json/json_parts.hpp"

namespace ordeal::detail {

namespace {

ordered_json json_of_outcome(const shown_outcome& shown) {
    return {{"outcome", shown.outcome},
            {"samples", shown.samples},
            {"share", shown.share},
            {"model", null_if_empty(std::string(to_string(shown.model)))},
            {"expected", to_string(shown.expected)},
            {"rare", shown.rare},
            {"sentence", null_if_empty(shown.sentence)}};
}

ordered_json json_of_model(const stressed_scenario& stressed) {
    if (stressed.model.executions == 0) return nullptr;
    ordered_json entry{{"engine", stressed.engine},
                       {"verdict", to_string(stressed.model.verdict)},
                       {"complete", stressed.model.complete}};
    add_limits(entry, stressed.model.limits);
    entry["executions"] = stressed.model.executions;
    return entry;
}

ordered_json json_of_stressed(const stress_report& report, const stressed_scenario& stressed) {
    return {{"name", stressed.what->name},
            {"subject", stressed.what->subject},
            {"samples", stressed.ran.executions},
            {"seed", stressed.seed},
            {"as_expected", stressed.as_expected},
            {"verdict", to_string(stressed.ran.verdict)},
            {"kind", json_of(stressed.ran.kind)},
            {"message", null_if_empty(stressed.message)},
            {"seconds", stressed.ran.seconds},
            {"samples_per_second", stressed.samples_per_second()},
            {"outcomes", array_of(stressed.outcomes, json_of_outcome)},
            {"not_shown", stressed.not_shown},
            {"model", json_of_model(stressed)},
            {"faults_injected", stressed.ran.faults_injected},
            {"faults_survived", stressed.ran.faults_survived},
            {"repeat", repeat_command(report, stressed)}};
}

}  // namespace

ordered_json stress_document(const stress_report& report) {
    ordered_json entries = ordered_json::array();
    std::uint64_t injected = 0;
    std::uint64_t survived = 0;
    for (const stressed_scenario& stressed : report.scenarios) {
        entries.push_back(json_of_stressed(report, stressed));
        injected += stressed.ran.faults_injected;
        survived += stressed.ran.faults_survived;
    }
    ordered_json result = json_head();
    result["scenarios"] = std::move(entries);
    result["samples"] = report.samples();
    result["faults_injected"] = injected;
    result["faults_survived"] = survived;
    result["rounds"] = report.rounds > 0 ? ordered_json(report.rounds) : ordered_json(nullptr);
    result["stopped_early"] = report.stopped_early;
    result["not_begun"] = report.not_begun;
    result["seconds"] = report.seconds;
    return result;
}

}  // namespace ordeal::detail
