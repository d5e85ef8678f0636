// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <map>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

json checked(std::vector<std::string> arguments, int code) {
    arguments.insert(arguments.begin(), "check");
    arguments.insert(arguments.end(), {"--json", "-"});
    const finished result = run_fixture(std::move(arguments));
    CAPTURE(result.err);
    CHECK(result.code == code);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("a scenario that holds is exit code 0") {
    const finished result = run_fixture({"check", "fixture/count_to_two"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("fixture/count_to_two") && Contains("held") && Contains("All as expected."));
}

TEST_CASE("option --json - prints the report alone on standard output, with the keys that others rely on") {
    const json report = checked({"fixture/count_to_two"}, 0);
    CHECK(report.at("schema") == 1);
    CHECK(report.at("tool") == "ordeal");
    CHECK(report.at("version").is_string());
    CHECK(report.at("stopped_early") == false);
    REQUIRE(report.at("scenarios").size() == 1);
    const json& entry = report.at("scenarios").at(0);
    for (const char* key :
         {"name",     "subject",       "engine",         "model",       "exists_under", "verdict",    "kind",
          "expected", "expected_kind", "expected_words", "as_expected", "limits",       "executions", "blocked",
          "complete", "seconds",       "replay",         "outcomes",    "message",      "exhibit",    "about"}) {
        CAPTURE(key);
        CHECK(entry.contains(key));
    }
    CHECK(entry.at("name") == "fixture/count_to_two");
    CHECK(entry.at("subject") == "fixture");
    CHECK(entry.at("engine") == "graph");
    CHECK(entry.at("model") == "cpp20");
    CHECK(entry.at("exists_under").is_null());
    CHECK((entry.at("verdict") == "held" || entry.at("verdict") == "held within"));
    CHECK((entry.at("verdict") == "held") == entry.at("limits").empty());
    CHECK(entry.at("kind").is_null());
    CHECK(entry.at("replay").is_null());
    CHECK(entry.at("as_expected") == true);
    CHECK(entry.at("executions") > 1);
    REQUIRE(entry.at("outcomes").size() == 1);
    CHECK(entry.at("outcomes").contains("2"));
}

TEST_CASE("under a stronger memory model a scenario holds within it alone, and the verdict names it") {
    const finished result = run_fixture({"check", "fixture/count_to_two", "--model", "sc"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("held within [1]") && Contains("only the executions of sequential consistency"));
    const json report = checked({"fixture/count_to_two", "--model", "tso"}, 0);
    const json& entry = report.at("scenarios").at(0);
    CHECK(entry.at("model") == "tso");
    CHECK(entry.at("verdict") == "held within");
    CHECK(entry.at("limit_details").at(0).at("id") == "memory-model");
    CHECK(entry.at("limit_details").at(0).at("effect") == "hides");
    CHECK(entry.at("limit_details").at(0).at("parameters") == json{{"model", "tso"}});
}

TEST_CASE("a violation says in which memory models it exists") {
    constexpr auto* weak = "Exists only in memory models weaker than TSO";
    CHECK_THAT(run_fixture({"check", "fixture/known_race"}).out, Contains(weak));
    CHECK_THAT(run_fixture({"check", "fixture/known_race", "--trace"}).out, Contains(weak));
    CHECK_THAT(run_fixture({"check", "fixture/unexpected_race", "--junit", "-"}).out, Contains(weak));
    CHECK_THAT(run_fixture({"check", "fixture/unexpected_race", "--sarif", "-"}).out, Contains(weak));
    const json models = checked({"fixture/known_race"}, 0).at("scenarios").at(0).at("exists_under");
    CHECK(models.at("strongest") == "rc11");
    CHECK(models.at("excluded") == true);
    CHECK_THAT(models.at("sentence").get<std::string>(), Contains(weak));
    CHECK_THAT(run_fixture({"check", "fixture/leak"}).out, Contains("Exists under sequential consistency"));
}

TEST_CASE("an expected violation is as expected, with a line that replays it and the trace on request") {
    const finished result = run_fixture({"check", "fixture/known_race"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("violated: data race") && Contains("as expected"));
    CHECK_THAT(result.out, Contains(ORDEAL_FIXTURE_BINARY " replay 'o1:"));
    CHECK_THAT(result.out, !Contains("producer"));
    CHECK_THAT(run_fixture({"check", "fixture/known_race", "--trace"}).out, Contains("producer"));
}

TEST_CASE("an unexpected violation is exit code 1, with its trace") {
    const finished result = run_fixture({"check", "fixture/unexpected_race"});
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("expected held") && Contains("data race") && Contains("1 not as expected."));
    CHECK_THAT(result.out, Contains("producer") && Contains("consumer") && Contains("store relaxed"));
}

TEST_CASE("a violation of another kind than the expected one is exit code 1") {
    const json report = checked({"fixture/other_kind"}, 1);
    const json& entry = report.at("scenarios").at(0);
    CHECK(entry.at("verdict") == "violated");
    CHECK(entry.at("kind") == "data race");
    CHECK(entry.at("expected_kind") == "leak");
    CHECK(entry.at("expected_words") == "never freed");
    CHECK(entry.at("as_expected") == false);
}

TEST_CASE("crash, exit, exception, leak, nondeterminism and hang are verdicts, not the end of the program") {
    const json report = checked({"wild", "hang/asleep", "fixture/leak", "--time-budget", "0.1", "--jobs", "2"}, 0);
    std::map<std::string, json> entries;
    for (const json& entry : report.at("scenarios")) entries[entry.at("name")] = entry;
    const std::map<std::string, std::pair<std::string, std::string>> wanted{
        {"wild/crash", {"crash", "SIGSEGV"}},
        {"wild/exit", {"crash", "exited with code 7"}},
        {"wild/exit_quietly", {"crash", "exited with code 0"}},
        {"wild/throws", {"uncaught exception", "out of the scenario"}},
        {"wild/nondeterministic", {"nondeterminism", ""}},
        {"hang/asleep", {"time-out", "did not end within 8.15 s"}},
        {"fixture/leak", {"leak", ""}},
    };
    REQUIRE(entries.size() == wanted.size());
    for (const auto& [name, want] : wanted) {
        CAPTURE(name);
        REQUIRE(entries.contains(name));
        CHECK(entries[name].at("verdict") == "violated");
        CHECK(entries[name].at("kind") == want.first);
        CHECK_THAT(entries[name].at("message").get<std::string>(), Contains(want.second));
        CHECK(entries[name].at("as_expected") == true);
    }
}

TEST_CASE("where there is no room for a search, that is said, and no fault of the code on trial") {
    // Too little for the heap on trial, and enough for all that comes before it.
    const finished done = run_fixture_in_shell("ulimit -v 700000; \"$0\" check fixture/count_to_two");
    CAPTURE(done.out, done.err);
    CHECK(done.code == 1);
    CHECK_THAT(done.out, Contains("inconclusive") && Contains("ulimit -v"));
}

TEST_CASE("a loop without a scheduling point is a livelock") {
    const json report = checked({"hang/endless_loop"}, 0);
    const json& entry = report.at("scenarios").at(0);
    CHECK(entry.at("kind") == "livelock");
    CHECK_THAT(entry.at("message").get<std::string>(), Contains("without a scheduling point"));
}

TEST_CASE("more threads than the engine supports is inconclusive, and not as expected") {
    const json report = checked({"fixture/nine_threads", "--engine", "relacy"}, 1);
    const json& entry = report.at("scenarios").at(0);
    CHECK(entry.at("verdict") == "inconclusive");
    CHECK(entry.at("executions") == 0);
    CHECK_THAT(entry.at("message").get<std::string>(), Contains("9 threads"));
}

TEST_CASE("a search that its time budget ends is never plain held") {
    const json report = checked({"long", "--time-budget", "0.5"}, 0);
    const json& entry = report.at("scenarios").at(0);
    CHECK(entry.at("verdict") == "held within");
    CHECK(entry.at("complete") == false);
    CHECK_THAT(entry.at("limits").dump(), Contains("executions, when its 0.5 s were over"));
}

TEST_CASE("the last line says how many searches were cut short by the time budget") {
    const finished cut = run_fixture({"check", "long", "fixture/count_to_two", "--time-budget", "0.5"});
    CHECK(cut.code == 0);
    CHECK_THAT(cut.out, Catch::Matchers::EndsWith("All as expected. 1 cut short by the time budget of 0.5 s.\n"));
    const finished bad = run_fixture({"check", "long", "fixture/unexpected_race", "--time-budget", "0.5"});
    CHECK(bad.code == 1);
    CHECK_THAT(bad.out, Catch::Matchers::EndsWith("1 not as expected. 1 cut short by the time budget of 0.5 s.\n"));
    CHECK_THAT(run_fixture({"check", "fixture/count_to_two"}).out, Catch::Matchers::EndsWith("All as expected.\n"));
}

TEST_CASE("a search that is cut short is not green, and a failure where complete searches are required") {
    const std::vector<std::string> command{"check", "long", "--time-budget", "0.5"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        return run_fixture(more);
    };
    const finished allowed = with({"--color", "always"});
    CHECK(allowed.code == 0);
    CHECK_THAT(allowed.out, Contains("\033[33mAll as expected.\033[0m") && !Contains("\033[32mAll"));
    const finished refused = with({"--require-complete"});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.out,
               Contains("1 cut short by the time budget of 0.5 s, which --require-complete does not let pass.\n"));
    CHECK(run_fixture({"check", "fixture/count_to_two", "--require-complete"}).code == 0);
    const json report = json::parse(with({"--require-complete", "--json", "-"}).out);
    CHECK(report.at("search").at("time_budget") == 0.5);
    CHECK(report.at("require_complete") == true);
    CHECK(report.at("cut_short").at(0).at("of") == "long/endless_search");
    CHECK_THAT(with({"--require-complete", "--junit", "-"}).out,
               Contains("classname=\"complete.long/endless_search\"") && Contains("failures=\"1\""));
}

TEST_CASE("the time budget that is not given is named in the help and in the reports") {
    CHECK_THAT(run_fixture({"check", "--help"}).out, Contains("--time-budget S=20 "));
    CHECK_THAT(run_fixture({"audit", "--help"}).out, Contains("--time-budget S=3 "));
    CHECK(checked({"fixture/count_to_two"}, 0).at("search").at("time_budget") == 20);
    const json audit = json::parse(run_fixture({"audit", "fixture/count_to_two", "--json", "-"}).out);
    CHECK(audit.at("search").at("time_budget") == 3);
}

TEST_CASE("an audit whose searches are cut short is a failure where complete ones are required") {
    const std::vector<std::string> command{"audit", "long", "--time-budget", "0.2", "--require-complete"};
    const finished refused = run_fixture(command);
    CHECK(refused.code == 1);
    CHECK_THAT(refused.out,
               Contains("1 cut short by the time budget of 0.2 s, which --require-complete does not let pass.\n"));
    CHECK(run_fixture({"audit", "fixture/count_to_two", "--require-complete"}).code == 0);
}

TEST_CASE("patterns: subjects, names, globs, several of them") {
    const auto names = [](std::vector<std::string> patterns) {
        std::vector<std::string> result;
        patterns.insert(patterns.begin(), "list");
        patterns.insert(patterns.end(), {"--json", "-"});
        const json report = json::parse(run_fixture(std::move(patterns)).out);
        for (const json& entry : report.at("scenarios")) result.push_back(entry.at("name"));
        return result;
    };
    CHECK(names({"hang"}) == std::vector<std::string>{"hang/asleep", "hang/endless_loop"});
    CHECK(names({"*race"}) == std::vector<std::string>{"fixture/known_race", "fixture/unexpected_race"});
    CHECK(names({"wild/exit", "hang/*p"}) == std::vector<std::string>{"hang/asleep", "hang/endless_loop", "wild/exit"});
    CHECK(names({}).size() > 10);
}

TEST_CASE("option --json FILE is written whole beside the table, and an older file is replaced") {
    const temporary_folder folder;
    const std::string file = folder.file("out.json");
    REQUIRE(run_fixture({"check", "fixture/known_race", "--json", file}).code == 0);
    const finished second = run_fixture({"check", "fixture/count_to_two", "--json", file});
    CHECK(second.code == 0);
    CHECK_THAT(second.out, Contains("fixture/count_to_two"));
    const json report = json::parse(content(file));
    REQUIRE(report.at("scenarios").size() == 1);
    CHECK(report.at("scenarios").at(0).at("name") == "fixture/count_to_two");
    CHECK(folder.files() == std::vector<std::string>{"out.json"});
}

TEST_CASE("the number of jobs changes no verdict") {
    const auto verdicts = [](const char* jobs) {
        std::vector<std::string> result;
        for (const json& entry : checked({"fixture/*", "--jobs", jobs}, 1).at("scenarios")) {
            result.push_back(entry.at("name").get<std::string>() + " " + entry.at("verdict").get<std::string>() + " " +
                             entry.at("executions").dump() + entry.at("replay").dump());
        }
        return result;
    };
    CHECK(verdicts("1") == verdicts("4"));
}
