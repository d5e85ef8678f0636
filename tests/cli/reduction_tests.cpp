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

// A search that leaves less out comes to more bounds: spurious failures are followed so often, loops for so many
// iterations. So what holds may hold within bounds there; all else is the same.
void compare_within_bounds(const report& all, const report& fewer) {
    REQUIRE(all.by_scenario.size() == fewer.by_scenario.size());
    for (const auto& [name, whole] : all.by_scenario) {
        CAPTURE(name);
        found less = fewer.by_scenario.at(name);
        if (whole.verdict == "held" && less.verdict == "held within") less.verdict = "held";
        CHECK((less == whole));
    }
    CHECK(fewer.executions >= all.executions);
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
    const auto searched_with = [](const char* reductions) {
        return searched(ORDEAL_BINARY, {"event/*", "exhibit/two_flags/*"}, reductions);
    };
    const report all = searched_with("all");
    compare_within_bounds(all, searched_with("none"));
    for (const char* const one : {"retries,waiting", "blocked,loops,waiting", "loops", "symmetry", "waiting",
                                  "snapshots", "wake-ups", "spurious-failures"}) {
        CAPTURE(one);
        compare_within_bounds(all, searched_with(one));
    }
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
    const report whole = searched(ORDEAL_BINARY, {"sync_wait/*"}, "all");
    const auto without = [&](const char* program) {
        CAPTURE(program);
        const report found = searched(program, {"sync_wait/*"}, "all");
        compare_within_bounds(whole, found);
        return found.executions;
    };
    (void)without(ORDEAL_WITHOUT_blocked);
    (void)without(ORDEAL_WITHOUT_retries);
    (void)without(ORDEAL_WITHOUT_wake_ups);
    // These leave something out there, so a program that still had them would be seen.
    CHECK(without(ORDEAL_WITHOUT_loops) > whole.executions);
    CHECK(without(ORDEAL_WITHOUT_spurious_failures) > whole.executions);
}
