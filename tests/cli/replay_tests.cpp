// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include "ordeal/engine/persistence/replay_token.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

using namespace ordeal::test;
using Catch::Matchers::Contains;

namespace {

std::string race_token() {
    const std::string token = token_in(run_fixture({"check", "fixture/known_race"}).out);
    REQUIRE_FALSE(token.empty());
    return token;
}

std::string changed(const std::string& text, void (*change)(ordeal::detail::replay_token&)) {
    auto parsed = ordeal::detail::parse_token(text);
    REQUIRE(parsed.token.has_value());
    change(*parsed.token);
    return ordeal::detail::to_text(*parsed.token).value();
}

void check_refused(const std::string& token, int code, const char* says) {
    const finished result = run_fixture({"replay", token});
    CAPTURE(token, result.out);
    CHECK(result.code == code);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(says));
}

}  // namespace

TEST_CASE("replay shows the violation again, twice alike, and nothing else") {
    const std::string token = race_token();
    const finished first = run_fixture({"replay", token});
    CHECK(first.code == 1);
    CHECK(first.err.empty());
    CHECK_THAT(first.out, Contains("producer") && Contains("consumer") && Contains("violated: data race"));
    CHECK_THAT(first.out,
               Contains("payload.write() = 42;") && Contains("c reads from b, but b is relaxed, not release"));
    CHECK_THAT(first.out, !Contains("flag.store(1, std::memory_order_relaxed)"));
    CHECK_THAT(run_fixture({"replay", token, "--all-steps"}).out, Contains("flag.store(1, std::memory_order_relaxed)"));
    CHECK(run_fixture({"replay", token}).out == first.out);
}

TEST_CASE("replay is under the memory model in which the violation was found") {
    const std::string token = token_in(run_fixture({"check", "fixture/leak", "--model", "sc"}).out);
    CHECK_THAT(token, Catch::Matchers::StartsWith("o1:graph+sc:fixture/leak:"));
    const finished result = run_fixture({"replay", token});
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("under graph, sequential consistency") && Contains("violated: leak"));
    // The race needs an execution that the stronger model does not have.
    const std::string elsewhere = changed(
        race_token(), [](ordeal::detail::replay_token& token) { token.model = ordeal::detail::memory_model::sc; });
    CHECK_FALSE(run_fixture({"replay", elsewhere}).out.find("violated") != std::string::npos);
}

TEST_CASE("each engine's violations can be replayed, also those that come without any choice") {
    for (const char* engine : {"graph", "relacy"}) {
        for (const char* scenario : {"fixture/known_race", "fixture/leak"}) {
            const std::string token = token_in(run_fixture({"check", scenario, "--engine", engine}).out);
            CAPTURE(engine, scenario, token);
            CHECK_THAT(token, Catch::Matchers::StartsWith(std::string("o1:") + engine + ':' + scenario + ':'));
            const finished result = run_fixture({"replay", token});
            CHECK(result.code == 1);
            CHECK_THAT(result.out, Contains("violated: "));
        }
    }
}

TEST_CASE("replay has a JSON report with the trace as data") {
    const std::string token = race_token();
    const finished result = run_fixture({"replay", token, "--json", "-"});
    CHECK(result.code == 1);
    const auto report = nlohmann::json::parse(result.out);
    CHECK(report.at("schema") == 1);
    CHECK(report.at("name") == "fixture/known_race");
    CHECK(report.at("kind") == "data race");
    CHECK(report.at("replay") == token);
    CHECK(report.at("model") == "cpp20");
    CHECK(report.at("exists_under").at("strongest") == "rc11");
    CHECK(report.at("trace").size() >= 4);
}

TEST_CASE("text that is no replay token is told from one that is damaged and one of another version") {
    const std::string token = race_token();
    check_refused("hello", 2, "not a replay token");
    check_refused("", 2, "not a replay token");
    check_refused(token.substr(0, token.size() - 3), 2, "damaged");
    std::string mistyped = token;
    mistyped[token.find("known")] = 'K';
    check_refused(mistyped, 2, "damaged");
    std::string later = token;
    later[1] = '9';
    check_refused(later, 2, "version o9");
}

TEST_CASE("a token of another program names what is missing here") {
    const std::string token = race_token();
    check_refused(changed(token, [](ordeal::detail::replay_token& t) { t.engine = "oracle"; }), 3, "'oracle'");
    check_refused(changed(token, [](ordeal::detail::replay_token& t) { t.scenario = "fixture/known_rice"; }), 2,
                  "'fixture/known_race'");
}

TEST_CASE("replay shows a fence that the search has added to the code") {
    const auto audited =
        nlohmann::json::parse(run_fixture({"audit", "fixture/known_race", "--json", "-", "--quiet"}).out);
    const auto change = audited.at("subjects").at(0).at("repairs").at(0).at("changes").at(0);
    REQUIRE(change.at("role") == "store");
    CHECK(change.at("position") == "instead");
    auto parsed = ordeal::detail::parse_token(race_token());
    REQUIRE(parsed.token.has_value());
    parsed.token->overrides = {{{change.at("file"), change.at("line"), change.at("column"), ordeal::role::store},
                                ordeal::order::seq_cst,
                                std::nullopt,
                                ordeal::override_position::before}};
    parsed.token->path.text.clear();  // whatever execution comes first
    const std::string token = ordeal::detail::to_text(*parsed.token).value();
    const finished text = run_fixture({"replay", token});
    CAPTURE(token, text.err);
    CHECK_THAT(text.out, Contains("with tests/cli/fixtures/verdicts.cpp@") && Contains(".store+seq_cst-before\n") &&
                             Contains(" fence seq_cst, added for this search "));
    const auto report = nlohmann::json::parse(run_fixture({"replay", token, "--json", "-"}).out);
    CHECK(report.at("overrides").at(0).at("position") == "before");
    CHECK(report.at("overrides").at(0).at("order") == "seq_cst");
    const auto& steps = report.at("trace");
    const auto added = std::ranges::find(steps, "added for this search", [](const auto& each) {
        return each.at("note").is_string() ? each.at("note").template get<std::string>() : "";
    });
    REQUIRE(added != steps.end());
    CHECK(added->at("operation") == "fence");
    CHECK(added->at("order") == "seq_cst");
    CHECK(std::next(added)->at("operation") == "store");
}

TEST_CASE("an engine that does not stop for a debugger says so") {
    const std::string token = token_in(run_fixture({"check", "fixture/leak", "--engine", "relacy"}).out);
    const finished result = run_fixture({"replay", token, "--debug"});
    CHECK(result.code == 3);
    CHECK_THAT(result.err, Contains("the engine relacy has no --debug; graph has"));
}

TEST_CASE("a debugger that is not there is named, and its files are not left behind") {
    const temporary_folder folder;
    const std::string run =
        "TMPDIR='" + folder.file("") + "' PATH=/nowhere \"$0\" replay '" + race_token() + "' --debug";
    const finished result = run_fixture_in_shell(run);
    CHECK(result.code == 3);
    CHECK_THAT(result.err, Contains("--debug needs gdb, which is not installed"));
    CHECK(folder.files().empty());
}

TEST_CASE("in gdb the execution stops at the violation, and then goes on to its end") {
    const temporary_folder folder;
    const std::string run = "TMPDIR='" + folder.file("") + "' \"$0\" replay '" + race_token() +
                            "' --debug --gdb 'info ordeal-threads' --gdb continue --json '" + folder.file("report") +
                            "'";
    const finished result = run_fixture_in_shell(run);
    CAPTURE(result.out, result.err);
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("consumer: violated: data race: "));
    CHECK_THAT(result.out, Contains("'producer', is over; last step ") && Contains("'consumer', runs; last step "));
    CHECK_THAT(result.out, Contains("fixture/known_race under graph") && Contains("exited with code 01"));
    CHECK(folder.files() == std::vector<std::string>{"report"});
}

TEST_CASE("in gdb a crash stops where the code on trial has crashed") {
    const std::string token = token_in(run_fixture({"check", "wild/crash"}).out);
    const finished result = run_fixture({"replay", token, "--debug", "--gdb", "info ordeal-threads"});
    CAPTURE(token, result.out, result.err);
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("only: violated: crash: SIGSEGV"));
    CHECK_THAT(result.out, Contains("'only', runs; last step ") && Contains("\n    #0 ordeal::") && Contains("crash<"));
    CHECK_THAT(result.out, !Contains("\n    #1 "));  // neither what handles the signal nor what began the thread
}

TEST_CASE("a token whose site is no longer there cannot be replayed") {
    const std::string token = changed(race_token(), [](ordeal::detail::replay_token& t) {
        t.overrides.push_back({{"tests/cli/fixtures/verdicts.cpp", 1, 1, ordeal::role::store}, ordeal::order::relaxed});
    });
    check_refused(token, 2, "cannot replay");
}

TEST_CASE("a token that describes no execution of the scenario cannot be replayed") {
    const std::string token =
        changed(race_token(), [](ordeal::detail::replay_token& t) { t.path.text = "no~such~choices"; });
    check_refused(token, 2, "cannot replay");
}
