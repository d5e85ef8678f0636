// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <fstream>

using namespace ordeal::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr int all_executions = 369'600;

json searched(std::vector<std::string> options, int code) {
    options.insert(options.begin(), {"check", "many/twelve_increments", "--engine", "graph", "--json", "-"});
    const finished result = run_fixture(std::move(options));
    CAPTURE(result.err);
    CHECK(result.code == code);
    return json::parse(result.out).at("scenarios").at(0);
}

}  // namespace

TEST_CASE("one search counts the same executions in one process and in several") {
    for (const char* jobs : {"1", "3"}) {
        const json entry = searched({"--jobs", jobs, "--time-budget", "0"}, 0);
        CAPTURE(jobs);
        CHECK(entry.at("verdict") == "held");
        CHECK(entry.at("executions") == all_executions);
        CHECK(entry.at("outcomes") == json{{"12", all_executions}});
    }
}

TEST_CASE("a search that is cut short leaves a checkpoint, goes on from it, and takes it away at its end") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    const json first = searched({"--time-budget", "0.01", "--checkpoint", file, "--jobs", "1"}, 0);
    CHECK(first.at("verdict") == "held within");
    CHECK(first.at("executions") < all_executions);
    REQUIRE(folder.files() == std::vector<std::string>{"state"});
    const json second = searched({"--time-budget", "0", "--checkpoint", file, "--jobs", "2"}, 0);
    CHECK(second.at("verdict") == "held");
    CHECK(second.at("executions") == all_executions);
    CHECK(second.at("outcomes") == json{{"12", all_executions}});
    CHECK(folder.files().empty());
}

TEST_CASE("a file that is no checkpoint, or one of another search, is inconclusive and stays as it was") {
    const temporary_folder folder;
    const std::string file = folder.file("state");
    std::ofstream(file) << "something else";
    const json damaged = searched({"--checkpoint", file}, 1);
    CHECK(damaged.at("verdict") == "inconclusive");
    CHECK_THAT(damaged.at("message").get<std::string>(), Contains("is not a checkpoint"));
    CHECK(content(file) == "something else");
    const std::string other = folder.file("other");
    (void)searched({"--time-budget", "0.01", "--checkpoint", other}, 0);
    const std::string before = content(other);
    const finished result = run_fixture({"check", "fixture/count_to_two", "--checkpoint", other});
    CHECK(result.code == 1);
    CHECK_THAT(result.out, Contains("of another search"));
    CHECK(content(other) == before);
}
