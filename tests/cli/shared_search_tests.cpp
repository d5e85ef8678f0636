// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_checks.hpp"

#include <catch2/catch.hpp>

#include <sys/types.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

using namespace ordeal::test;
using nlohmann::json;

namespace {

// The first process that the process has started; 0: none.
pid_t first_child_of(pid_t process) {
    const std::string id = std::to_string(process);
    std::ifstream children("/proc/" + id + "/task/" + id + "/children");
    pid_t result = 0;
    children >> result;
    return result;
}

}  // namespace

TEST_CASE("what a search reports does not depend on how many processes share it") {
    for (const char* scenario : {"parts/four_waiters", "parts/increments", "parts/loops"}) {
        json one;
        for (const char* jobs : {"1", "2", "5"}) {
            const json report = report_of_graph_check(ORDEAL_PARTS_BINARY, {scenario}, {"--jobs", jobs});
            CAPTURE(scenario, jobs);
            if (one.is_null()) one = report;
            CHECK(report == one);
        }
    }
}

TEST_CASE("a process of a search that is killed from outside costs nothing but time") {
    program search(ORDEAL_FIXTURE_BINARY, {"check", "many/twelve_increments", "--engine", "graph", "--time-budget", "0",
                                           "--quiet", "--jobs", "2", "--json", "-"});
    pid_t killed = 0;
    for (int tries = 0; killed == 0 && tries < 1'000'000; ++tries) {
        if (const pid_t searcher = search.child(); searcher != 0) killed = first_child_of(searcher);
    }
    REQUIRE(killed != 0);
    kill(killed, SIGKILL);
    const finished result = search.wait();
    CHECK(result.code == 0);
    const json one = report_of(result).at("scenarios").at(0);
    CHECK(one.at("verdict") == "held");
    CHECK(one.at("executions") == 369'600);
}
