// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_run.hpp"
#include "tables.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace ordeal::docs {

namespace {

using nlohmann::json;

// A claim and what stands below its heading.
struct claim {
    std::string id;
    std::string verdict;
    std::vector<directive> markers;
};

std::vector<claim> claims_of(const document& in) {
    std::vector<claim> result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < in.text.size(); ++i) {
        const std::string& line = in.text[i];
        if (line.starts_with("## ")) result.push_back({line.substr(3, line.find(' ', 3) - 3), {}, {}});
        constexpr std::string_view verdict = "Verdict: **";
        if (line.starts_with(verdict) && !result.empty()) {
            const std::size_t end = line.find("**", verdict.size());
            result.back().verdict = line.substr(verdict.size(), end - verdict.size());
        }
        for (; next < in.directives.size() && in.directives[next].first == i; ++next) {
            if (!result.empty()) result.back().markers.push_back(in.directives[next]);
        }
    }
    return result;
}

// "violated" "data race" -> "violated: data race"
std::string told(const lines& words, std::size_t from) {
    std::string result;
    for (std::size_t i = from; i < words.size(); ++i) {
        if (!result.empty()) result += words[i - 1] == "violated" ? ": " : " ";
        result += words[i];
    }
    return result;
}

// What a marker is about. It may begin with an engine, `@relacy`; else the engine is the program's own choice.
struct question {
    std::string engine;
    lines words;
};

question question_of(const directive& marker) {
    question result{{}, words_of(marker.argument)};
    if (result.words.empty() || !result.words.front().starts_with('@')) return result;
    result.engine = result.words.front().substr(1);
    result.words.erase(result.words.begin());
    return result;
}

std::string run_verdict(const directive& marker) {
    const question asked = question_of(marker);
    if (marker.kind == "check") return verdict_of(asked.words.at(0), asked.engine);
    const json& found = mutant(asked.words, asked.engine);
    if (found.at("verdict") == "required") return "violated: " + found.at("kind").get<std::string>();
    return found.at("verdict");
}

std::string marked_verdict(const directive& marker) {
    return told(question_of(marker).words, marker.kind == "check" ? 1 : 4);
}

bool violated(const directive& marker) { return marker.argument.find(" violated") != std::string::npos; }

bool is_check(const directive& marker) { return marker.kind == "check" && question_of(marker).engine.empty(); }

// The repair is a set of "role order".
std::set<std::string> changes_of(const json& repair) {
    std::set<std::string> result;
    for (const json& change : repair.at("changes")) {
        result.insert(change.at("role").get<std::string>() + " " + change.at("order").get<std::string>());
    }
    return result;
}

bool a_test_has(const std::string& title) {
    namespace fs = std::filesystem;
    for (const auto* folder : {"tests", "model_tests", "tsan_tests", "stress"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(ORDEAL_SOURCE_ROOT) / folder)) {
            const fs::path& path = entry.path();
            if (path.extension() != ".cpp" && path.filename() != "CMakeLists.txt") continue;
            const std::string text = content(fs::relative(path, ORDEAL_SOURCE_ROOT).string());
            if (text.find("\"" + title + "\"") != std::string::npos) return true;
            if (text.find("/" + title + "\"") != std::string::npos) return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("the findings answer every claim, with a verdict and a run that shows it") {
    const auto claims = claims_of(load("docs/explanation/findings.md"));
    for (int i = 1; i <= 15; ++i) {
        const std::string id = "C" + std::to_string(i);
        INFO(id);
        const auto found = std::ranges::find(claims, id, &claim::id);
        REQUIRE(found != claims.end());
        CHECK((found->verdict == "held" || found->verdict == "refuted" || found->verdict == "answered"));
        const auto shown = std::ranges::count_if(
            found->markers, [](const directive& each) { return each.kind == "check" || each.kind == "mutant"; });
        CHECK(shown > 0);
    }
}

TEST_CASE("the overview of the findings says what their sections say") {
    const document in = load("docs/explanation/findings.md");
    for (const claim& each : claims_of(in)) {
        if (each.verdict.empty()) continue;
        INFO(each.id << ": " << each.verdict);
        const auto row = std::ranges::find_if(
            in.text, [&](const std::string& line) { return line.starts_with("| [" + each.id + "]("); });
        REQUIRE(row != in.text.end());
        CHECK(row->ends_with("| " + each.verdict + " |"));
    }
}

TEST_CASE("a claim is refuted by a violation, and held by scenarios of which every execution was explored") {
    for (const claim& each : claims_of(load("docs/explanation/findings.md"))) {
        INFO(each.id << ": " << each.verdict);
        const auto checks = [&](const auto& wanted) {
            return std::ranges::count_if(each.markers,
                                         [&](const directive& marker) { return is_check(marker) && wanted(marker); });
        };
        const auto held = [](const directive& marker) { return marked_verdict(marker) == "held"; };
        if (each.verdict == "refuted") CHECK(checks(violated) > 0);
        if (each.verdict != "held") continue;
        CHECK(checks(held) > 0);
        CHECK(checks([&](const directive& marker) { return !held(marker) && !violated(marker); }) == 0);
    }
}

TEST_CASE("the engines agree about every scenario of the findings") {
    lines scenarios;
    for (const directive& each : load("docs/explanation/findings.md").directives) {
        if (each.kind == "check") scenarios.push_back(question_of(each).words.at(0));
    }
    std::ranges::sort(scenarios);
    const auto twice = std::ranges::unique(scenarios);
    scenarios.erase(twice.begin(), twice.end());
    const json made = compared(scenarios);
    CHECK(made.size() == scenarios.size());
    for (const json& each : made) {
        INFO(each.at("message").get<std::string>());
        CHECK(each.at("agree") == true);
    }
}

TEST_CASE("what a comment about a verdict checks is what its line says") {
    const document in = load("docs/explanation/findings.md");
    for (const auto* argument :
         {"exhibit/plain_bool/set_against_await violated \"data race\"", "event/allocates_nothing held",
          "manual_reset_event is_set load relaxed violated \"data race\"",
          "promise_atomic_discriminator set store relaxed not required",
          "@relacy promise_atomic_discriminator set store relaxed undecided"}) {
        CAPTURE(argument);
        CHECK(std::ranges::find(in.directives, argument, &directive::argument) != in.directives.end());
    }
}

TEST_CASE("every verdict in the documents is the verdict of a run, and the text beside it says the same") {
    std::size_t verdicts = 0;
    for (const std::string& path : document_paths()) {
        for (const directive& each : load(path).directives) {
            if (each.kind != "check" && each.kind != "mutant") continue;
            INFO(path << ":" << each.first + 1 << ": " << each.argument);
            const auto [engine, words] = question_of(each);
            const std::string marked = marked_verdict(each);
            ++verdicts;
            CHECK(run_verdict(each) == marked);
            CHECK(each.visible.find(marked) != std::string::npos);
            CHECK(each.visible.find(words.at(0)) != std::string::npos);
            CHECK(each.visible.find(engine) != std::string::npos);
            if (each.kind == "mutant") CHECK(each.visible.find("`" + words.at(1) + "`") != std::string::npos);
            if (each.kind == "mutant") CHECK(each.visible.find(words.at(3)) != std::string::npos);
        }
    }
    CHECK(verdicts > 0);
}

TEST_CASE("every repair in the documents is one that the audit finds, and where there is none it finds none") {
    for (const std::string& path : document_paths()) {
        for (const directive& each : load(path).directives) {
            if (each.kind != "repair") continue;
            INFO(path << ":" << each.first + 1 << ": " << each.argument);
            const auto [engine, words] = question_of(each);  // SUBJECT ROLE ORDER ..., or SUBJECT none
            std::set<std::string> wanted;
            for (std::size_t i = 1; i + 1 < words.size(); i += 2) wanted.insert(words[i] + " " + words[i + 1]);
            const json& repairs = audited(words.at(0), engine).at("repairs");
            const bool listed =
                std::ranges::any_of(repairs, [&](const json& repair) { return changes_of(repair) == wanted; });
            CHECK((words.at(1) == "none" ? repairs.empty() : listed));
        }
    }
}

// "| [futexes](waiting.md#futexes) | "one test"<br>"another one" |"
TEST_CASE("every test that the page of claims and tests names exists") {
    std::size_t tests = 0;
    for (const std::string& row : load("docs/reference/tests-of-claims.md").text) {
        if (!row.starts_with("| ")) continue;
        const std::string last = row.substr(row.rfind(" | ") + 3);
        for (std::size_t begin = last.find('"'); begin != std::string::npos;) {
            const std::size_t end = last.find('"', begin + 1);
            REQUIRE(end != std::string::npos);
            const std::string title = last.substr(begin + 1, end - begin - 1);
            INFO(title);
            CHECK(a_test_has(title));
            ++tests;
            begin = last.find('"', end + 1);
        }
    }
    CHECK(tests > 80);
}

}  // namespace ordeal::docs
