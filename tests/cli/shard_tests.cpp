// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_checks.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

// Each with more executions than are made before a search is divided.
const std::vector<std::string> divided{"parts/four_waiters", "parts/increments", "parts/loops"};

// The files of all n shards, in a folder.
std::vector<std::string> make_shards(const char* program, const temporary_folder& folder, std::size_t n,
                                     const std::vector<std::string>& scenarios,
                                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> files;
    for (std::size_t i = 1; i <= n; ++i) {
        files.push_back(folder.file(std::to_string(i) + ".shard"));
        std::vector<std::string> line{"--shard", std::to_string(i) + "/" + std::to_string(n), "--shard-file",
                                      files.back()};
        line.insert(line.end(), more.begin(), more.end());
        const finished result = graph_check(program, scenarios, line);
        CAPTURE(i, result.err, result.out);
        CHECK(result.code <= 1);
    }
    return files;
}

finished merged(const char* program, std::vector<std::string> files, const std::vector<std::string>& more = {}) {
    files.insert(files.begin(), "merge");
    files.emplace_back("--quiet");
    files.insert(files.end(), more.begin(), more.end());
    return run(program, std::move(files));
}

// Without the number of the execution that was the first to show something: of shards none is the first.
json reported(const finished& result) {
    json report = report_of(result);
    report.at("search").erase("time_budget");
    for (json& each : report.at("scenarios")) {
        if (each.contains("seen")) each.at("seen").erase("newest_pair_after");
    }
    return report;
}

void check_refused(const std::vector<std::string>& files, const std::string& says) {
    const finished result = merged(ORDEAL_PARTS_BINARY, files);
    CAPTURE(result.out);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains(says));
}

}  // namespace

TEST_CASE("shards of a search, merged, report what the whole does") {
    const finished whole = graph_check(ORDEAL_PARTS_BINARY, divided, {"--json", "-", "--outcomes", "--coverage"});
    REQUIRE(whole.code == 0);
    for (const std::size_t n : {1U, 2U, 3U, 7U}) {
        CAPTURE(n);
        const temporary_folder folder;
        const auto files =
            make_shards(ORDEAL_PARTS_BINARY, folder, n, divided, {"--outcomes", "--coverage", "--jobs", "2"});
        const finished all = merged(ORDEAL_PARTS_BINARY, files, {"--json", "-"});
        CHECK(all.code == whole.code);
        CHECK(reported(all) == reported(whole));
    }
}

TEST_CASE("each shard of a search has a part of it, and says so") {
    const temporary_folder folder;
    std::uint64_t sum = 0;
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
        const json one = reported(graph_check(ORDEAL_PARTS_BINARY, {"parts/four_waiters"},
                                              {"--shard", shard, "--shard-file", folder.file("x"), "--json", "-",
                                               "--reductions", "-retries,-blocked"}))
                             .at("scenarios")
                             .at(0);
        CAPTURE(shard, one.dump());
        CHECK(one.at("verdict") == "held within");
        CHECK(one.at("as_expected") == true);
        CHECK(one.at("limit_details").at(0).at("id") == "shard");
        CHECK(one.at("executions") > 3'000);  // a third would be 10,912
        sum += one.at("executions").get<std::uint64_t>();
    }
    CHECK(sum == 32'737);
}

TEST_CASE("shards of all scenarios of the program, violated ones among them, report what the whole does") {
    // Shards follow no future reads, but name where they begin.
    const finished whole = graph_check(ORDEAL_BINARY, {}, {"--model", "rc11", "--json", "-"});
    const temporary_folder folder;
    const auto files = make_shards(ORDEAL_BINARY, folder, 2, {}, {"--model", "rc11"});
    const finished all = merged(ORDEAL_BINARY, files, {"--json", "-"});
    CHECK(all.code == whole.code);
    CHECK(reported(all) == reported(whole));
}

TEST_CASE("a violation in one shard is the verdict of the whole, with its trace") {
    const temporary_folder folder;
    const auto files = make_shards(ORDEAL_PARTS_BINARY, folder, 3, {"parts/late"});
    const finished all = merged(ORDEAL_PARTS_BINARY, files, {"--trace"});
    CHECK(all.code == 1);
    CHECK_THAT(all.out, Contains("violated") && Contains("one order is wrong") && Contains(" replay "));
    const finished again = run(ORDEAL_PARTS_BINARY, {"replay", token_in(all.out)});
    CHECK_THAT(again.out, Contains("one order is wrong"));
}

TEST_CASE("shards that are not all parts of one check are refused") {
    const temporary_folder folder;
    const auto files = make_shards(ORDEAL_PARTS_BINARY, folder, 3, {"parts/four_waiters"});
    CHECK(merged(ORDEAL_PARTS_BINARY, files).code == 0);
    check_refused({files[0], files[2]}, "shard 2 of 3 is missing");
    check_refused({files[1]}, "shard 1 and 3 of 3 are missing");
    check_refused({files[0], files[1], files[1], files[2]}, "are both shard 2 of 3");
    check_refused({files[0], files[1], folder.file("none")}, "cannot be read");

    const auto other = [&](const char* name, const std::vector<std::string>& scenarios,
                           std::vector<std::string> options) {
        options.insert(options.end(), {"--shard", "3/3", "--shard-file", folder.file(name)});
        CHECK(graph_check(ORDEAL_PARTS_BINARY, scenarios, options).code == 0);
        return folder.file(name);
    };
    const std::string scenario = other("scenario", {"parts/increments"}, {});
    const std::string option = other("option", {"parts/four_waiters"}, {"--spurious", "1"});
    for (const std::string& each : {scenario, option}) check_refused({files[0], files[1], each}, "of different checks");
    const finished ordeal = graph_check(ORDEAL_BINARY, {"event/set_against_three_waiters"},
                                        {"--shard", "3/3", "--shard-file", folder.file("program")});
    CHECK(ordeal.code == 0);
    check_refused({files[0], files[1], folder.file("program")}, "is of another build");

    std::string damaged = content(files[2]);
    damaged[damaged.size() / 2] = damaged[damaged.size() / 2] == '1' ? '2' : '1';
    std::ofstream(folder.file("damaged"), std::ios::binary) << damaged;
    check_refused({files[0], files[1], folder.file("damaged")}, "is damaged");
    std::ofstream(folder.file("text")) << "something else\n";
    check_refused({folder.file("text")}, "is not a shard");
}

TEST_CASE("a shard that did not come to its end keeps the whole from being held, and is named") {
    const temporary_folder folder;
    auto files = make_shards(ORDEAL_PARTS_BINARY, folder, 2, {"parts/four_waiters"});
    const finished cut = run(ORDEAL_PARTS_BINARY, {"check", "parts/four_waiters", "--engine", "graph", "--time-budget",
                                                   "1e-9", "--shard", "2/2", "--shard-file", files[1]});
    CHECK(cut.code == 0);
    const finished all = merged(ORDEAL_PARTS_BINARY, files);
    CHECK(all.code == 0);
    CHECK_THAT(all.out, Contains("held within") && Contains("shard 2 of 2 did not come to its end"));
    CHECK(merged(ORDEAL_PARTS_BINARY, files, {"--require-complete"}).code == 1);
}

TEST_CASE("a shard goes on from its checkpoint") {
    const temporary_folder folder;
    auto files = make_shards(ORDEAL_PARTS_BINARY, folder, 2, {"parts/increments"});
    const json whole = reported(merged(ORDEAL_PARTS_BINARY, files, {"--json", "-"}));
    std::vector<std::string> line{
        "--shard", "2/2", "--shard-file", files[1], "--checkpoint", folder.file("state"), "--checkpoint-every", "0"};
    for (const char* seconds : {"0.35", "0"}) {
        auto with_budget = line;
        with_budget.insert(with_budget.end(), {"--time-budget", seconds});
        std::vector<std::string> all{"check", "parts/increments", "--engine", "graph", "--quiet", "--jobs", "1"};
        all.insert(all.end(), with_budget.begin(), with_budget.end());
        CHECK(run(ORDEAL_PARTS_BINARY, all).code == 0);
    }
    CHECK(reported(merged(ORDEAL_PARTS_BINARY, files, {"--json", "-"})) == whole);
}

TEST_CASE("what cannot be divided is a mistake of the command line") {
    const temporary_folder folder;
    const auto refused = [&](std::vector<std::string> options, const char* says) {
        options.insert(options.begin(), {"check", "parts/loops"});
        const finished result = run(ORDEAL_PARTS_BINARY, options);
        CAPTURE(result.err);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains(says));
    };
    const std::string file = folder.file("x");
    refused({"--shard", "1/2"}, "--shard-file");
    refused({"--shard-file", file}, "--shard");
    for (const char* each : {"0/2", "3/2", "1", "a/b", "1/", "/2", "-1/2"}) {
        refused({"--shard", each, "--shard-file", file}, "not I/N");
    }
    refused({"--shard", "1/2", "--shard-file", file, "--search", "random=10"}, "--seed");
    refused({"--shard", "1/2", "--shard-file", file, "--strict"}, "--strict is for merge");
    refused({"--shard", "1/2", "--shard-file", file, "--engine", "relacy"}, "--engine graph");
    CHECK(folder.files().empty());
}

TEST_CASE("shards that were given another environment are refused where code on trial reads it") {
    const std::vector<std::string> scenario{"programs/getenv_by_both"};
    const temporary_folder folder;
    const std::vector<std::string> files = make_shards(ORDEAL_PROGRAMS_BINARY, folder, 2, scenario);
    setenv("ORDEAL_TEST_NOT_READ", "1", 1);
    CHECK(merged(ORDEAL_PROGRAMS_BINARY, files).code == 0);
    unsetenv("ORDEAL_TEST_NOT_READ");
    for (const char* const variable : {"ORDEAL_TEST", "ORDEAL_TEST_START"}) {
        CAPTURE(variable);
        setenv(variable, "a secret", 1);
        const finished elsewhere = merged(ORDEAL_PROGRAMS_BINARY, files);
        CHECK(elsewhere.code == 2);
        CHECK(elsewhere.out.empty());
        CHECK_THAT(elsewhere.err, Contains("'" + files[0] + "' was made with another value of the variable " +
                                           variable + " of the environment"));
        const temporary_folder other;
        const std::vector<std::string> others = make_shards(ORDEAL_PROGRAMS_BINARY, other, 2, scenario);
        unsetenv(variable);
        CHECK(merged(ORDEAL_PROGRAMS_BINARY, {files[0], others[1]}).code == 2);
        CHECK_THAT(content(others[1]), Contains(variable) && !Contains("secret"));
    }
}
