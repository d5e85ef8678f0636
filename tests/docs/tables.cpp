// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include "program_run.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <stdexcept>

namespace ordeal::docs {

namespace {

using nlohmann::json;

std::string row(const lines& cells) {
    std::string result = "|";
    for (const std::string& cell : cells) result += " " + cell + " |";
    return result;
}

lines with_heading(const lines& heading) {
    std::string rule = "|";
    for (std::size_t i = 0; i < heading.size(); ++i) rule += "---|";
    return {row(heading), rule};
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string verdict_text(const json& scenario) {
    std::string result = scenario.at("verdict");
    if (scenario.at("kind").is_string()) result += ": " + scenario.at("kind").get<std::string>();
    return result;
}

std::string declared(const std::string& subject, const std::string& function, const std::string& role) {
    for (const json& site : audited(subject).at("sites")) {
        if (site.at("function") == function && site.at("role") == role) return site.at("declared");
    }
    throw std::runtime_error(subject + " has no site " + function + " " + role);
}

lines reset_table() {
    constexpr std::array designs{std::array{"cppcoro", "reset_cppcoro"}, std::array{"Baker's article", "reset_baker"},
                                 std::array{"libcoro", "reset_libcoro"}, std::array{"libunifex", "reset_libunifex"},
                                 std::array{"folly", "reset_folly"}};
    constexpr std::array questions{"awaited_again", "acknowledgement", "takeover"};
    lines heading{"`reset()` of", "success, failure"};
    for (const auto* question : questions) heading.push_back(code(question));
    lines result = with_heading(heading);
    for (const auto& [name, subject] : designs) {
        lines cells{name, declared(subject, "reset", "success") + ", " + declared(subject, "reset", "failure")};
        for (const auto* question : questions) {
            cells.push_back(verdict_text(checked("exhibit/" + std::string(subject) + "/" + question)));
        }
        result.push_back(row(cells));
    }
    return result;
}

std::string weaker_orders(const json& site) {
    std::string result;
    for (const json& weaker : site.at("weaker")) {
        if (!result.empty()) result += "<br>";
        result += weaker.at("order").get<std::string>() + ": " + weaker.at("verdict").get<std::string>();
        if (weaker.at("kind").is_string()) {
            result += ", " + weaker.at("kind").get<std::string>() + " in " + code(weaker.at("scenario"));
        }
    }
    return result.empty() ? "none" : result;
}

lines site_table(const std::string& subject) {
    lines result = with_heading({"function", "operation", "declared", "verdict", "weaker orders"});
    for (const json& site : audited(subject).at("sites")) {
        std::string operation = site.at("operation");
        const std::string role = site.at("role");
        if (role == "success" || role == "failure") operation += ", " + role;
        result.push_back(
            row({code(site.at("function")), operation, site.at("declared"), site.at("verdict"), weaker_orders(site)}));
    }
    return result;
}

lines outcome_table(const lines& scenarios) {
    lines result = with_heading({"scenario", "outcome", "executions"});
    for (const std::string& scenario : scenarios) {
        for (const auto& [outcome, executions] : checked(scenario).at("outcomes").items()) {
            result.push_back(row({code(scenario), outcome, std::to_string(executions.get<int>())}));
        }
    }
    return result;
}

lines verdict_table(const std::string& prefix) {
    lines result = with_heading({"scenario", "what it does", "verdict"});
    for (const json& scenario : checked()) {
        const std::string name = scenario.at("name");
        if (!name.starts_with(prefix)) continue;
        result.push_back(row({code(name), scenario.at("about"), verdict_text(scenario)}));
    }
    return result;
}

}  // namespace

lines table(const directive& of) {
    lines words = words_of(of.argument);
    if (words.empty()) throw std::runtime_error("which table?");
    const std::string kind = words.front();
    words.erase(words.begin());
    if (kind == "reset") return reset_table();
    if (kind == "outcomes") return outcome_table(words);
    if (kind == "sites" && words.size() == 1) return site_table(words[0]);
    if (kind == "verdicts" && words.size() == 1) return verdict_table(words[0]);
    throw std::runtime_error("an unknown table: " + of.argument);
}

std::string verdict_of(const std::string& scenario) { return verdict_text(checked(scenario)); }

}  // namespace ordeal::docs
