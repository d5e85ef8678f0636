// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search that holds shows: outcomes with examples, what was covered, and pictures of one execution.
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

constexpr const char* held = "task/complete_against_await";

finished run_ordeal(std::vector<std::string> arguments) { return run(ORDEAL_BINARY, std::move(arguments)); }

void check_usage(std::vector<std::string> arguments, const char* says) {
    const finished result = run_fixture(std::move(arguments));
    CAPTURE(result.out);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains(says));
}

}  // namespace

TEST_CASE("every outcome is listed with an execution that replays without a violation") {
    const finished text = run_ordeal({"check", held, "--outcomes", "--quiet"});
    CHECK(text.code == 0);
    const std::string token = token_in(text.out);
    REQUIRE_FALSE(token.empty());
    const finished again = run_ordeal({"replay", token});
    CHECK(again.code == 0);
    CHECK_THAT(again.out, Contains("no violation in this execution"));

    const json report = json::parse(run_ordeal({"check", held, "--outcomes", "--quiet", "--json", "-"}).out);
    const json& entry = report.at("scenarios").at(0);
    const json& examples = entry.at("outcome_examples");
    CHECK(examples.size() == entry.at("outcomes").size());
    for (const auto& [outcome, example] : examples.items()) {
        CHECK(entry.at("outcomes").contains(outcome));
        CHECK_THAT(text.out, Contains(example.get<std::string>()));
    }
    const json plain = json::parse(run_ordeal({"check", held, "--quiet", "--json", "-"}).out);
    CHECK_FALSE(plain.at("scenarios").at(0).contains("outcome_examples"));
    CHECK(plain.at("scenarios").at(0).at("executions") == entry.at("executions"));
}

TEST_CASE("the example of an outcome is shown as a trace, of a scenario without outcomes too") {
    const finished shown = run_ordeal({"check", held, "--show", "1", "--quiet"});
    CHECK(shown.code == 0);
    CHECK_THAT(shown.out, Contains("an execution with the outcome") && Contains("no violation in this execution"));
    CHECK_THAT(shown.out, Contains("src/ordeal/coro/task.hpp"));
    const json report = json::parse(run_ordeal({"check", held, "--show", "1", "--quiet", "--json", "-"}).out);
    CHECK_FALSE(report.at("scenarios").at(0).at("example").at("trace").empty());

    const finished none = run_fixture({"check", "fixture/leak", "--show", "1", "--quiet"});
    CHECK_THAT(none.err + none.out, Contains("no outcome to show"));
    const finished unnamed = run_fixture({"check", "fixture/nine_threads", "--show", "1", "--quiet"});
    CHECK_THAT(unnamed.out, Contains("1. (no outcome)  1 execution"));
    const finished two = run_fixture({"check", "fixture/count_to_two", "--show", "2", "--quiet"});
    CHECK(two.code == 2);
    CHECK_THAT(two.err, Contains("--show 2: the search has 1 outcome"));
    CHECK_THAT(two.out, Contains("1. 2  2 executions"));
}

TEST_CASE("what is of one execution needs one search, and an engine that keeps executions") {
    check_usage({"check", "fixture/count_to_two", "fixture/leak", "--show", "1"}, "--show needs one scenario");
    check_usage({"check", "fixture/count_to_two", "fixture/leak", "--svg", "x"}, "a picture needs one scenario");
    check_usage({"check", "fixture/count_to_two", "--engine", "relacy", "--outcomes"}, "give --engine graph");
    check_usage({"check", "fixture/count_to_two", "--engine", "relacy", "--coverage"}, "give --engine graph");
    check_usage({"check", "fixture/count_to_two", "--show", "0"}, "counted from 1");
    check_usage({"check", "fixture/count_to_two", "--svg", "-"}, "it needs a file of its own");
    const temporary_folder folder;
    check_usage({"check", "fixture/count_to_two", "--svg", folder.file("a.svg"), "--quiet"}, "no violation to draw");
    CHECK(folder.files().empty());
}

TEST_CASE("an execution is drawn by check and by replay alike") {
    const temporary_folder folder;
    const auto draw = [&](std::vector<std::string> arguments, const std::string& name) {
        for (const char* format : {"dot", "svg", "mermaid"}) {
            arguments.push_back(std::string("--") + format);
            arguments.push_back(folder.file(name + "." + format));
        }
        return run_fixture(arguments);
    };
    const finished violated = draw({"check", "fixture/known_race", "--quiet"}, "violated");
    CHECK(violated.code == 0);
    CHECK(draw({"replay", token_in(violated.out)}, "again").code == 1);
    CHECK(draw({"check", "fixture/count_to_two", "--show", "1", "--quiet"}, "held").code == 0);
    REQUIRE(folder.files().size() == 9);
    for (const char* format : {".dot", ".svg", ".mermaid"}) {
        CHECK(content(folder.file(std::string("violated") + format)) ==
              content(folder.file(std::string("again") + format)));
    }
    CHECK_THAT(content(folder.file("violated.dot")), StartsWith("digraph"));
    CHECK_THAT(content(folder.file("violated.mermaid")), StartsWith("sequenceDiagram"));
    CHECK_THAT(content(folder.file("held.svg")), StartsWith("<svg") && Contains("no violation in this execution"));
}

TEST_CASE("sites, reads-from pairs and states are told with coverage alone") {
    const finished text = run_ordeal({"check", "task", "--coverage", "--quiet"});
    CHECK(text.code == 0);
    CHECK_THAT(text.out, Contains("reads-from pair") && Contains("States in src/ordeal/coro/task.hpp"));
    CHECK_THAT(text.out, Contains("running, awaiting, completed, abandoned"));

    const json report = json::parse(run_ordeal({"check", held, "--coverage", "--quiet", "--json", "-"}).out);
    const json& entry = report.at("scenarios").at(0);
    CHECK_FALSE(entry.at("coverage").at("sites").empty());
    REQUIRE(report.at("state_charts").size() == 1);
    const json& chart = report.at("state_charts").at(0);
    CHECK(chart.at("complete") == true);
    // Each execution has one task, whose word goes one way.
    std::size_t paths = 0;
    for (const json& each : chart.at("paths")) paths += each.get<std::size_t>();
    CHECK(paths == entry.at("executions").get<std::size_t>());
    std::size_t visits = 0;
    std::size_t transitions = 0;
    for (const json& each : chart.at("states")) visits += each.at("times").get<std::size_t>();
    for (const json& each : chart.at("transitions")) transitions += each.at("times").get<std::size_t>();
    CHECK(visits == paths + transitions);
    CHECK_FALSE(json::parse(run_ordeal({"check", held, "--quiet", "--json", "-"}).out).contains("state_charts"));
}
