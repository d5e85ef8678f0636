// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search finds is the same whether it follows retries in vain or not. Only the executions that have them are fewer.
#include "graph_checks.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ordeal::test;
using nlohmann::json;

namespace {

struct found {
    std::string verdict;
    std::string kind;
    std::set<std::string> outcomes;

    bool operator==(const found&) const = default;
};

struct report {
    std::map<std::string, found> by_scenario;
    std::uint64_t executions = 0;
};

report searched(const char* program, const std::vector<std::string>& scenarios, const char* cut) {
    const json all = report_of_graph_check(program, scenarios, {"--search", "full", "--cut-retries", cut});
    report result;
    for (const json& each : all.at("scenarios")) {
        found& here = result.by_scenario[each.at("name").get<std::string>()];
        here.verdict = each.at("verdict").get<std::string>();
        if (!each.at("kind").is_null()) here.kind = each.at("kind").get<std::string>();
        // A search that found a violation stops there.
        if (here.verdict == "violated") continue;
        for (const auto& [outcome, count] : each.at("outcomes").items()) here.outcomes.insert(outcome);
        result.executions += each.at("executions").get<std::uint64_t>();
    }
    return result;
}

void compare(const char* program, const std::vector<std::string>& scenarios) {
    const report with = searched(program, scenarios, "on");
    const report without = searched(program, scenarios, "off");
    CHECK(with.by_scenario == without.by_scenario);
    CHECK(with.executions < without.executions);
}

}  // namespace

TEST_CASE("all scenarios of the program come to the same whether retries in vain are followed or not") {
    compare(ORDEAL_BINARY, {});
}

TEST_CASE("programs without a policy come to the same whether retries in vain are followed or not") {
    compare(ORDEAL_PROGRAMS_BINARY,
            {"programs/spin_*", "programs/stop_*", "programs/*queue*", "programs/*stack*", "programs/wait_*",
             "programs/shared_*", "programs/back_off_*", "programs/futex_*"});
}
