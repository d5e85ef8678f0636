// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search finds is the same with a reduction and without. Only the executions that it leaves out are fewer.
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

report searched(const char* program, const std::vector<std::string>& scenarios, const char* reductions) {
    const json all = report_of_graph_check(program, scenarios, {"--search", "full", "--reductions", reductions});
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
    const report with = searched(program, scenarios, "all");
    const report without = searched(program, scenarios, "-retries,-blocked");
    CHECK(with.by_scenario == without.by_scenario);
    CHECK(with.executions < without.executions);
}

// A search that leaves less out comes to more bounds: spurious failures are followed so often, loops for so many iterations.
std::map<std::string, found> within_bounds(const report& of) {
    std::map<std::string, found> result = of.by_scenario;
    for (auto& [name, each] : result) {
        if (each.verdict == "held") each.verdict = "held within";
    }
    return result;
}

}  // namespace

TEST_CASE("all scenarios of the program come to the same whether redundant retries are followed or not") {
    compare(ORDEAL_BINARY, {});
}

TEST_CASE("programs without a policy come to the same whether redundant retries are followed or not") {
    compare(ORDEAL_PROGRAMS_BINARY,
            {"programs/spin_*", "programs/stop_*", "programs/*queue*", "programs/*stack*", "programs/wait_*",
             "programs/shared_*", "programs/back_off_*", "programs/futex_*"});
}

TEST_CASE("a search without any reduction finds what one with all of them does") {
    const auto outcomes = [](const char* reductions) {
        return within_bounds(searched(ORDEAL_BINARY, {"event/*", "exhibit/two_flags/*"}, reductions));
    };
    const auto all = outcomes("all");
    CHECK(!all.empty());
    CHECK(outcomes("none") == all);
    for (const char* const one : {"loops", "waiting", "snapshots", "symmetry"}) CHECK(outcomes(one) == all);
}

TEST_CASE("the former option of a reduction does what the new one does, and says so") {
    const finished now = run(ORDEAL_BINARY, {"check", "event/*", "--engine", "graph", "--reductions=-snapshots"});
    const finished before = run(ORDEAL_BINARY, {"check", "event/*", "--engine", "graph", "--copies", "off"});
    CHECK(before.code == now.code);
    CHECK(before.err.find("--copies off is now --reductions=-snapshots") != std::string::npos);
}

TEST_CASE("a name that no reduction has is refused with those that there are") {
    const finished told = run(ORDEAL_BINARY, {"check", "event/*", "--reductions", "loop"});
    CHECK(told.code == 2);
    CHECK(told.err.find("'loop'; the names are retries, blocked, loops") != std::string::npos);
}

TEST_CASE("a program without the sources of a reduction finds what the whole program does") {
    const std::map<std::string, found> whole = within_bounds(searched(ORDEAL_BINARY, {"sync_wait/*"}, "all"));
    CHECK(!whole.empty());
    for (const char* const program : {ORDEAL_WITHOUT_blocked, ORDEAL_WITHOUT_loops, ORDEAL_WITHOUT_retries,
                                      ORDEAL_WITHOUT_spurious_failures, ORDEAL_WITHOUT_wake_ups}) {
        CAPTURE(program);
        CHECK(within_bounds(searched(program, {"sync_wait/*"}, "all")) == whole);
    }
}
