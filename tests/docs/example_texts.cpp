// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "example_texts.hpp"

#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace ordeal::docs {

namespace {

using nlohmann::json;

// One process at a time: several find a loop that waits a few executions later. No time limit: a slow machine says the same.
constexpr auto* alike_everywhere = " -j 1 --time-budget 0";

// Without the title, the heading of the subject, and empty lines at the ends.
lines audit_text(const lines& words) {
    const std::string& subject = words.at(words.size() == 1 ? 0 : 1);
    const lines report = run_command(words[0] + " audit " + subject + alike_everywhere + " --quiet --markdown -");
    auto begin = std::ranges::find(report, "## " + subject);
    if (begin == report.end()) throw std::runtime_error(words[0] + " has no subject " + subject);
    begin = std::find_if(begin + 1, report.end(), [](const std::string& line) { return !line.empty(); });
    lines result(begin, std::ranges::find_if(begin, report.end(),
                                             [](const std::string& line) { return line.starts_with("## "); }));
    while (!result.empty() && result.back().empty()) result.pop_back();
    return result;
}

std::string verdict_cell(const json& scenario) {
    std::string result = scenario.at("verdict");
    if (scenario.at("kind").is_string()) return result + ": " + scenario.at("kind").get<std::string>();
    for (const json& limit : scenario.at("limits")) result += "<br>" + limit.get<std::string>();
    return result;
}

lines verdict_table(const lines& words) {
    std::string command = words.at(0) + " check" + alike_everywhere;
    for (std::size_t i = 1; i < words.size(); ++i) command += " '" + words[i] + "'";
    lines result{"| scenario | | verdict | executions |", "|---|---|---|---|"};
    const json report = report_of(command);
    for (const json& each : report.at("scenarios")) {
        const bool counted = each.at("kind").is_null();
        const std::string executions = counted ? std::to_string(each.at("executions").get<std::uint64_t>()) : "";
        result.push_back("| `" + each.at("name").get<std::string>() + "` | " + each.at("about").get<std::string>() +
                         " | " + verdict_cell(each) + " | " + executions + " |");
    }
    return result;
}

}  // namespace

bool is_of_an_example(const directive& of) { return of.kind == "audit" || of.kind == "verdicts"; }

lines example_text(const directive& of) {
    const lines words = words_of(of.argument);
    return of.kind == "audit" ? audit_text(words) : verdict_table(words);
}

}  // namespace ordeal::docs
