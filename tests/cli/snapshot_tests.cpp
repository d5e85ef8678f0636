// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search finds is the same whether its executions go on from copies of others or begin at their beginning.
#include "graph_checks.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ordeal::test;
using nlohmann::json;

namespace {

std::uint64_t largest(const json& report) {
    std::uint64_t most = 0;
    for (const json& each : report.at("scenarios")) most = std::max(most, each.at("executions").get<std::uint64_t>());
    return most;
}

// `scenarios`: what to check, and options.
void compare(const char* program, const std::vector<std::string>& scenarios) {
    const json with = report_of_graph_check(program, scenarios, {"--jobs", "1", "--copies", "on"});
    CHECK(with == report_of_graph_check(program, scenarios, {"--jobs", "1", "--copies", "off"}));
    CHECK(largest(with) > 256);  // the first runs of a search are none that go on from a copy
}

}  // namespace

TEST_CASE("all scenarios of the program come to the same with copies and without") { compare(ORDEAL_BINARY, {}); }

TEST_CASE("large searches over the policy come to the same with copies and without") {
    compare(ORDEAL_PARTS_BINARY, {"parts/four_waiters", "parts/increments"});
}

TEST_CASE("searches that compare the states of loops come to the same with copies and without") {
    compare(ORDEAL_PARTS_BINARY, {"parts/loops", "parts/spin_locks", "parts/queue", "--cut-retries", "off"});
    compare(ORDEAL_PROGRAMS_BINARY,
            {"programs/spin_*", "programs/stop_*", "programs/futex_semaphore*", "programs/peterson_*",
             "programs/tries_*", "programs/timed_lock*", "--cut-retries", "off"});
}

TEST_CASE("programs without a policy come to the same with copies and without") {
    compare(ORDEAL_PROGRAMS_BINARY,
            {"programs/plain_pool_of_two", "programs/pool_*", "programs/stealing_pool_of_two", "programs/futex_*",
             "programs/condition_*", "programs/wait_semaphore*", "programs/shared_*", "programs/back_off_*"});
}

TEST_CASE("programs that change the process come to the same with copies and without") {
    compare(ORDEAL_PROGRAMS_BINARY, {"programs/state_*", "programs/floating_point_*", "programs/pool_*"});
}
