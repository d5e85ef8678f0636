// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

using namespace ordeal::test;
using Catch::Matchers::Contains;

TEST_CASE("help is on standard output, and shows commands, examples and exit codes") {
    const finished result = run(ORDEAL_BINARY, {"--help"});
    CHECK(result.code == 0);
    CHECK(result.err.empty());
    for (const char* word : {"list", "check", "audit", "replay", "stress", "Examples:", "Exit status:"}) {
        CHECK_THAT(result.out, Contains(word));
    }
}

TEST_CASE("every command has help of its own") {
    for (const char* command : {"list", "check", "audit", "replay", "stress"}) {
        const finished result = run(ORDEAL_BINARY, {command, "--help"});
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains(std::string("ordeal ") + command));
    }
}

TEST_CASE("option --version names the program and its version") {
    const finished result = run(ORDEAL_BINARY, {"--version"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Catch::Matchers::Matches("ordeal [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_CASE("the program lists the production scenarios and the exhibits") {
    const finished result = run(ORDEAL_BINARY, {"list", "--json", "-"});
    REQUIRE(result.code == 0);
    const auto report = nlohmann::json::parse(result.out);
    CHECK(report.at("schema") == 1);
    std::size_t exhibits = 0;
    for (const auto& scenario : report.at("scenarios")) exhibits += scenario.at("exhibit").get<bool>() ? 1 : 0;
    CHECK(exhibits > 0);
    CHECK(report.at("scenarios").size() > exhibits);
}

TEST_CASE("list shows names, numbers of threads and expected verdicts") {
    const finished result = run_fixture({"list", "fixture"});
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("fixture/count_to_two") && Contains("Two increments"));
    CHECK_THAT(result.out, Contains("violated: data race"));
    CHECK_THAT(result.out, !Contains("wild/crash"));
}

TEST_CASE("bad usage is said on standard error, with exit code 2") {
    struct example {
        std::vector<std::string> arguments;
        const char* says;
    };
    const std::vector<example> examples{
        {{}, "Usage"},
        {{"chekc"}, "no command 'chekc'; did you mean check?"},
        {{"frobnicate"}, "no command 'frobnicate'; one of list, check, "},
        {{"check", "--bogus"}, "--bogus"},
        {{"check", "--time-buget", "3"}, "--time-buget; did you mean --time-budget?"},
        {{"audit", "--qiuet"}, "did you mean --quiet?"},
        {{"audit", "--htlm=x"}, "did you mean --html?"},
        {{"audit", "--frobnicate"}, "not expected: --frobnicate\n"},
        {{"check", "--search", "deep"}, "'deep'"},
        {{"check", "--search", "random=0"}, "'random=0'"},
        {{"check", "--search", "preemptions=-1"}, "'preemptions=-1'"},
        {{"check", "--jobs", "0"}, "--jobs"},
        {{"check", "--time-budget", "-1"}, "--time-budget"},
        {{"check", "--time-budget", "nan"}, "'nan'"},
        {{"check", "--time-budget", "1e10"}, "more than a year"},
        {{"check", "--search", "preemptions=4294967296"}, "more than 1000 preemptions"},
        {{"check", "--search", "random=5", "--seed", "-1"}, "not a whole number: '-1'"},
        {{"check", "--search", "pct=0"}, "'pct=0'"},
        {{"check", "--search", "pct=5,0"}, "'pct=5,0'"},
        {{"check", "--search", "pct=5,4294967295"}, "more than 1000 of depth"},
        {{"check", "--search", "pct=5", "--engine", "relacy"},
         "the engine relacy makes random executions by random=N alone"},
        {{"audit", "--search", "pct=5", "--engine", "relacy"},
         "the engine relacy makes random executions by random=N alone"},
        {{"check", "--model", "x86"}, "not one of cpp20-letter, cpp20, rc11, tso, sc: 'x86'"},
        {{"check", "--model", "sc", "--engine", "relacy"}, "the engine relacy has no --model sc; give --engine graph"},
        {{"check", "--model", "tso", "--engine", "all"}, "the engine relacy has no --model tso; give --engine graph"},
        {{"check", "--spurious", "1", "--engine", "relacy"},
         "the engine relacy has no --spurious; give --engine graph"},
        {{"check", "--reuse", "0", "--engine", "all"}, "the engine relacy has no --reuse; give --engine graph"},
        {{"audit", "--model", "sc", "--engine", "relacy"}, "the engine relacy has no --model sc; give --engine graph"},
        {{"stress", "--model", "sc"}, "--model"},
        {{"check", "--spurious", "-1"}, "not a whole number: '-1'"},
        {{"check", "--spurious", "often"}, "'often'"},
        {{"check", "--checkpoint", "-"}, "it needs a file of its own"},
        {{"check", "--checkpoint-every", "5"}, "--checkpoint-every requires --checkpoint"},
        {{"check", "--checkpoint", "state", "--checkpoint-every", "-1"}, "not a number of seconds: '-1'"},
        {{"check", "--json", ""}, "--json: the name of the file is empty"},
        {{"check", "--junit", ""}, "--junit: the name of the file is empty"},
        {{"check", "--sarif="}, "--sarif"},
        {{"audit", "--sarif", ""}, "--sarif: the name of the file is empty"},
        {{"list", "--json", ""}, "--json: the name of the file is empty"},
        {{"check", "--engine", ""}, "--engine: the name of the engine is empty"},
        {{"audit", "--engine", ""}, "--engine: the name of the engine is empty"},
        {{"audit", "--checkpoint", "state"}, "--checkpoint"},
        {{"replay", "token", "--step", "--debug"}, "--step"},
        {{"replay", "token", "--at", "3"}, "--at requires --debug"},
        {{"replay", "token", "--gdb", "bt"}, "--gdb requires --debug"},
        {{"stress", "--seed", "-1"}, "not a whole number: '-1'"},
        {{"stress", "--samples", "-1"}, "not a whole number: '-1'"},
        {{"check", "--color", "blue"}, "'blue'"},
        {{"replay"}, "token"},
    };
    for (const example& each : examples) {
        const finished result = run_fixture(each.arguments);
        CAPTURE(each.says);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(each.says, Catch::CaseSensitive::No));
    }
}

TEST_CASE("a pattern that matches nothing ends with the nearest name") {
    for (const char* command : {"list", "check", "audit"}) {
        const finished result = run_fixture({command, "fixture/cuont_to_two"});
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains("'fixture/cuont_to_two'") && Contains("did you mean 'fixture/count_to_two'?"));
    }
}

TEST_CASE("control characters in what was given are written as escapes") {
    const std::vector<std::vector<std::string>> examples{
        {"check", "a\033[31mb"},
        {"a\033[31mb"},
        {"check", "--engine", "a\033[31mb"},
        {"check", "--search", "a\033[31mb"},
    };
    for (const auto& arguments : examples) {
        const finished result = run_fixture(arguments);
        CHECK_THAT(result.err, Contains("a\\x1b[31mb") && !Contains("\033"));
    }
}

TEST_CASE("an engine that is not built in is exit code 3, and those that are get named") {
    const finished result = run_fixture({"check", "fixture/count_to_two", "--engine", "oracle"});
    CHECK(result.code == 3);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains("'oracle'") && Contains("relacy"));
}

TEST_CASE("a report file that cannot be written is found before any search") {
    const temporary_folder folder;
    for (const std::string& file : {folder.file("no/such/folder.json"), folder.file("")}) {
        const finished result = run_fixture({"check", "long", "--json", file});  // would run for long
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains("cannot write '" + file + "'"));
    }
    CHECK(folder.files().empty());
}

TEST_CASE("a checkpoint is of one scenario under the engine graph, in a file that can be written") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const auto refused = [&](std::vector<std::string> arguments, const std::string& says) {
        arguments.insert(arguments.begin(), "check");
        const finished result = run_fixture(std::move(arguments));
        CAPTURE(result.err);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(says));
    };
    refused({"fixture/count_to_two", "--engine", "relacy", "--checkpoint", file}, "needs the engine graph");
    refused({"fixture/count_to_two", "--engine", "all", "--checkpoint", file}, "needs the engine graph");
    refused({"wild", "--engine", "graph", "--checkpoint", file}, "needs one scenario; the patterns mean 5");
    refused({"fixture/count_to_two", "--engine", "graph", "--checkpoint", folder.file("no/state")},
            "cannot write '" + folder.file("no/state") + "'");
    refused({"fixture/count_to_two", "--engine", "graph", "--json", file, "--checkpoint", file}, "'" + file + "'");
    CHECK(folder.files().empty());
}

TEST_CASE("colour is used when asked for, and not into a file") {
    CHECK_THAT(run_fixture({"list", "--color", "always"}).out, Contains("\033["));
    CHECK_THAT(run_fixture({"list", "--color", "never"}).out, !Contains("\033["));
    CHECK_THAT(run_fixture({"list"}).out, !Contains("\033["));
}

TEST_CASE("a scenario without a name is said to be one") {
    for (const char* command : {"list", "check"}) {
        const finished result = run(ORDEAL_NAMELESS_BINARY, {command});
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains("a scenario has no name"));
    }
}

TEST_CASE("main may register scenarios from data, and they are as any other") {
    const auto run_it = [](const std::vector<std::string>& arguments) {
        return run(ORDEAL_FROM_DATA_BINARY, arguments);
    };
    const finished list = run_it({"list", "--json", "-"});
    CHECK(list.code == 0);
    const auto scenarios = nlohmann::json::parse(list.out).at("scenarios");
    REQUIRE(scenarios.size() == 4);
    CHECK(scenarios.at(0).at("name") == "slots/1_producers");
    CHECK(scenarios.at(0).at("subject") == "slots");
    CHECK(scenarios.at(2).at("name") == "slots/3_producers");
    CHECK(scenarios.at(3).at("name") == "slots/3_producers_relaxed");
    const finished check = run_it({"check", "--json", "-"});
    CAPTURE(check.out, check.err);
    CHECK(check.code == 0);  // each as it says of itself
    const auto checked = nlohmann::json::parse(check.out).at("scenarios");
    CHECK(checked.size() == 4);
    for (const auto& each : checked) CHECK(each.at("as_expected") == true);
    const finished trace = run_it({"check", "slots/3_producers_relaxed", "--trace"});
    CHECK_THAT(trace.out, Contains("data race") && Contains("producer 1") && Contains("values[0]"));
    const finished real = run_it({"stress", "slots/2_producers", "--seconds", "0.2"});
    CAPTURE(real.out, real.err);
    CHECK(real.code == 0);
}

TEST_CASE("a scenario made at run time whose name there is already, or that has no thread, is refused") {
    const auto check = [](const char* what) {
        return run("/usr/bin/env", {std::string("SLOTS_ADD=") + what, ORDEAL_FROM_DATA_BINARY, "list"});
    };
    const finished twice = check("twice");
    CHECK(twice.code == 2);
    CHECK_THAT(twice.err, Contains("two scenarios have the name 'slots/1_producers'"));
    const finished idle = check("idle");
    CHECK(idle.code == 2);
    CHECK_THAT(idle.err, Contains("the scenario 'slots/idle' has no threads"));
}

TEST_CASE("scenarios of a header are registered by each source that includes it, and by each use of a macro") {
    const finished list = run_fixture({"list", "included", "--json", "-"});
    std::vector<std::string> names;
    const auto document = nlohmann::json::parse(list.out);
    for (const auto& each : document.at("scenarios")) names.push_back(each.at("name"));
    CHECK(names == std::vector<std::string>{"included/again_one", "included/again_two", "included/by_function",
                                            "included/once_one", "included/once_two"});
}

TEST_CASE("control characters of the code on trial are shown and not acted on, and scenarios of one macro are two") {
    const finished result = run_fixture({"check", "noisy", "--trace"});
    CAPTURE(result.out);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains(R"(noisy/one \x1b[1m)") && Contains("noisy/two"));
    CHECK_THAT(result.out, Contains(R"(a message \x1b[31m in red,\n and a line)") && Contains(R"(one \x1b[2J)"));
    CHECK_THAT(result.out, !Contains("\033"));
    const finished json = run_fixture({"check", "noisy", "--json", "-"});
    CHECK(nlohmann::json::parse(json.out).at("scenarios").at(0).at("name") == "noisy/one \033[1m");
}

TEST_CASE("a variable of ordeal-mpi that has another value than it sets is wrong usage") {
    for (const char* const value : {"", "x", "4", "0:/tmp/socket", "4:socket", "4x:/tmp/socket"}) {
        CAPTURE(value);
        setenv("ORDEAL_WORKERS", value, 1);
        const finished result = run_fixture({"list"});
        unsetenv("ORDEAL_WORKERS");
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains("ORDEAL_WORKERS is not what ordeal-mpi sets"));
    }
}
