// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search finds is the same whether its executions go on from snapshots of others or begin at their beginning.
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

void compare(const char* program, const std::vector<std::string>& scenarios, const std::string& reductions = "all") {
    const auto report = [&](const std::string& of) {
        // An automatic search that takes long looks for violations in other ways beside, and then has other counts.
        return report_of_graph_check(program, scenarios, {"--search", "full", "--jobs", "1", "--reductions", of});
    };
    const json with = report(reductions);
    CHECK(with == report(reductions + ",-snapshots"));
    CHECK(largest(with) > 256);  // the first runs of a search are none that go on from a snapshot
}

}  // namespace

TEST_CASE("all scenarios of the program come to the same with snapshots and without") { compare(ORDEAL_BINARY, {}); }

TEST_CASE("large searches over the policy come to the same with snapshots and without") {
    compare(ORDEAL_PARTS_BINARY, {"parts/four_waiters", "parts/increments"});
}

TEST_CASE("searches that compare the states of loops come to the same with snapshots and without") {
    compare(ORDEAL_PARTS_BINARY, {"parts/loops", "parts/spin_locks", "parts/queue"}, "all,-retries,-blocked");
    compare(ORDEAL_PROGRAMS_BINARY,
            {"programs/spin_*", "programs/futex_semaphore*", "programs/peterson_*", "programs/tries_*",
             "programs/timed_lock*"},
            "all,-retries,-blocked");
    // The runs in which a loop is found first differ: without the other reductions two executions more come of that.
    compare(ORDEAL_PROGRAMS_BINARY, {"programs/stop_*", "programs/futex_semaphore"});
}

TEST_CASE("programs without a policy come to the same with snapshots and without") {
    compare(ORDEAL_PROGRAMS_BINARY,
            {"programs/plain_pool_of_two", "programs/pool_*", "programs/stealing_pool_of_two", "programs/futex_*",
             "programs/condition_*", "programs/wait_semaphore*", "programs/shared_*", "programs/back_off_*"});
}

TEST_CASE("programs that change the process come to the same with snapshots and without") {
    compare(ORDEAL_PROGRAMS_BINARY, {"programs/state_*", "programs/floating_point_*", "programs/stealing_pool_of_two"});
}
