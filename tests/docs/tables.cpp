// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tables.hpp"

#include "command_tables.hpp"
#include "cost_tables.hpp"
#include "program_run.hpp"
#include "schema_tables.hpp"

#include "ordeal/instrumented/process_state/process_state.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>

namespace ordeal::docs {

using namespace detail;

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

// "held, 29", of one engine.
std::string counted(const std::string& scenario, const std::string& engine) {
    const json& found = checked(scenario, engine);
    return verdict_text(found) + ", " + std::to_string(found.at("executions").get<std::uint64_t>());
}

lines engine_table(const lines& scenarios) {
    lines result = with_heading({"scenario", "`graph`, executions", "`relacy`, executions"});
    for (const std::string& scenario : scenarios) {
        result.push_back(row({code(scenario), counted(scenario, "graph"), counted(scenario, "relacy")}));
    }
    return result;
}

lines verdict_table(const lines& prefixes) {
    lines result = with_heading({"scenario", "what it does", "verdict"});
    for (const json& scenario : checked()) {
        const std::string name = scenario.at("name");
        if (std::ranges::none_of(prefixes, [&](const std::string& each) { return name.starts_with(each); })) continue;
        result.push_back(row({code(name), scenario.at("about"), verdict_text(scenario)}));
    }
    return result;
}

// The next text between quotes; `at` moves behind it.
std::string next_quoted(const std::string& in, std::size_t& at) {
    const std::size_t begin = in.find('"', at);
    const std::size_t end = begin == std::string::npos ? begin : in.find('"', begin + 1);
    if (end == std::string::npos) throw std::runtime_error("a text without an end");
    at = end + 1;
    return in.substr(begin + 1, end - begin - 1);
}

constexpr std::string_view kind_prefix = "kind::";

// `const std::vector after_free{kind::use_after_free};` -> "after_free", "use after free"
std::map<std::string, std::string> named_kinds(const std::string& source) {
    constexpr std::string_view declaration = "const std::vector ";
    std::map<std::string, std::string> result;
    for (const std::string& line : lines_of(source)) {
        if (!line.starts_with(declaration)) continue;
        std::string& kinds = result[line.substr(declaration.size(), line.find('{') - declaration.size())];
        for (std::size_t at = 0; (at = line.find(kind_prefix, at)) != std::string::npos;) {
            at += kind_prefix.size();
            if (!kinds.empty()) kinds += " or ";
            kinds += line.substr(at, line.find_first_of(",}", at) - at);
        }
        std::ranges::replace(kinds, '_', ' ');
    }
    return result;
}

// Read from the source of the tests under ThreadSanitizer, which the program does not contain. Those tests hold it
// against runs.
lines tsan_table() {
    const std::string source = content("tsan_tests/exhibit_table.cpp");
    const auto kinds = named_kinds(source);
    lines result = with_heading({"exhibit", "in the model", "under ThreadSanitizer"});
    std::size_t rows = 0;
    std::size_t at = source.find("> table{");
    while ((at = std::min(source.find(" reported(", at), source.find(" not_visible(", at))) != std::string::npos) {
        const bool reported = source[at + 1] == 'r';
        const std::string scenario = next_quoted(source, at);
        const std::size_t name = source.find_first_not_of(", \n", at);
        const std::string says = reported ? "reported: " + kinds.at(source.substr(name, source.find(',', name) - name))
                                          : "not visible: " + next_quoted(source, at);
        result.push_back(row({code(scenario), verdict_text(checked(scenario)), says}));
        ++rows;
    }
    const auto violated = std::ranges::count_if(checked(), [](const json& each) {
        return each.at("name").get<std::string>().starts_with("exhibit/") && each.at("verdict") == "violated";
    });
    if (std::cmp_not_equal(rows, violated)) throw std::runtime_error("not every violated exhibit has a row");
    return result;
}

const char* words_for(state_treatment treatment) {
    switch (treatment) {
        case state_treatment::kept: return "kept";
        case state_treatment::undone: return "undone";
        case state_treatment::refused: return "refused";
        default: return "a limit";
    }
}

lines process_state_table() {
    lines result = with_heading({"what", "of", "whose", "what becomes of it", "by"});
    for (const process_state& each : process_states) {
        result.push_back(
            row({std::string(each.what), std::string(each.of), each.of_thread ? "each thread's" : "the process's",
                 words_for(each.treatment), code(std::string(each.by))}));
    }
    return result;
}

}  // namespace

lines table(const directive& of) {
    if (is_cost_table(of)) return cost_table(of);
    if (is_command_table(of)) return command_table(of);
    lines words = words_of(of.argument);
    if (words.empty()) throw std::runtime_error("which table?");
    const std::string kind = words.front();
    words.erase(words.begin());
    if (kind == "reset") return reset_table();
    if (kind == "tsan") return tsan_table();
    if (kind == "process-state") return process_state_table();
    if (kind == "schema") return schema_table(words);
    if (kind == "outcomes") return outcome_table(words);
    if (kind == "engines") return engine_table(words);
    if (kind == "sites" && words.size() == 1) return site_table(words[0]);
    if (kind == "verdicts" && !words.empty()) return verdict_table(words);
    throw std::runtime_error("an unknown table: " + of.argument);
}

std::string verdict_of(const std::string& scenario, const std::string& engine) {
    return verdict_text(checked(scenario, engine));
}

}  // namespace ordeal::docs
