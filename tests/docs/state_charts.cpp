// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state_charts.hpp"

#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace ordeal::docs {

namespace {

using nlohmann::json;

constexpr const char* head =
    R"(# State charts

The state word of the event and that of the task, as the searches of their scenarios have seen them: every execution of every
scenario counts, and nothing else. Written by the target update_docs; a test holds it. `ordeal check PATTERN --coverage` prints
the same for any scenarios; [outcomes.md](../docs/how-to/outcomes.md#what-a-scenario-covers) says how states are found in values.

Rows are the states before an operation, columns the states after it. A cell has the operations that make the transition, each
with its line and with how often it made it. `-`: no execution has that transition.
)";

std::string text_of(const json& site) {
    return "`" + site.at("function").get<std::string>() + "` " + std::to_string(site.at("line").get<int>());
}

std::string chart(const json& of) {
    const std::string file = of.at("files").at(0).get<std::string>();
    std::string text = "\n## `" + of.at("subject").get<std::string>() + "`\n\n";
    text += "[" + file + "](../" + file + "), over " + std::to_string(of.at("scenarios").size()) + " scenarios and " +
            std::to_string(of.at("lives").get<std::size_t>()) +
            " lives of such an atomic, one or more in each execution. " +
            (of.at("complete").get<bool>() ? "The searches explored every execution.\n\n"
                                           : "Not every search explored every execution.\n\n");
    std::string line = "|---|";
    text += "| from \\ to |";
    std::map<std::pair<std::string, std::string>, std::string> cells;
    for (const json& each : of.at("transitions")) {
        std::string& cell = cells[{each.at("from").get<std::string>(), each.at("to").get<std::string>()}];
        cell += (cell.empty() ? "" : ", ") + text_of(each.at("by")) + " (" +
                std::to_string(each.at("times").get<std::size_t>()) + ")";
    }
    for (const json& to : of.at("states")) {
        text += " " + to.at("state").get<std::string>() + " |";
        line += "---|";
    }
    text += "\n" + line + "\n";
    for (const json& from : of.at("states")) {
        text += "| **" + from.at("state").get<std::string>() + "** |";
        for (const json& to : of.at("states")) {
            const auto cell = cells.find({from.at("state").get<std::string>(), to.at("state").get<std::string>()});
            text += " " + (cell == cells.end() ? "-" : cell->second) + " |";
        }
        text += "\n";
    }
    text += "\n| state | times | seen by a load or a failed compare-exchange of another thread |\n|---|---:|---|\n";
    for (const json& state : of.at("states")) {
        std::string observers;
        for (const json& each : state.at("observers")) {
            observers += (observers.empty() ? "" : ", ") + text_of(each);
            if (each.at("role") == "failure") observers += " (failure)";
        }
        text += "| " + state.at("state").get<std::string>() + " | " +
                std::to_string(state.at("times").get<std::size_t>()) + " | " + (observers.empty() ? "-" : observers) +
                " |\n";
    }
    text += "\n| times | states of one atomic, in coherence order |\n|---:|---|\n";
    for (const auto& [path, times] : of.at("paths").items()) {
        text += "| " + std::to_string(times.get<std::size_t>()) + " | " + path + " |\n";
    }
    if (const auto other = of.at("other_paths").get<std::size_t>(); other > 0) {
        text += "| " + std::to_string(other) + " | others |\n";
    }
    return text;
}

}  // namespace

std::string state_charts_as_markdown() {
    std::string report;
    for (const std::string& line : run_ordeal("check manual_reset_event task --coverage --quiet --json -")) {
        report += line + '\n';
    }
    const json parsed = json::parse(report, nullptr, false);
    if (parsed.is_discarded()) throw std::runtime_error("no JSON from the check of the production code");
    std::string text = head;
    for (const json& each : parsed.at("state_charts")) {
        if (each.at("files").size() != 1) continue;
        const std::string file = each.at("files").at(0).get<std::string>();
        // What else the scenarios use has its own.
        if (file.ends_with("/" + each.at("subject").get<std::string>() + ".hpp")) text += chart(each);
    }
    return text;
}

}  // namespace ordeal::docs
