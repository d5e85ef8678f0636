// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search finds is the same with a reduction and without. Only the executions that it leaves out are fewer.
#include "graph_checks.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <fstream>
#include <ios>
#include <iterator>
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
    std::uint64_t blocked = 0;
};

report report_from(const json& all) {
    report result;
    for (const json& each : all.at("scenarios")) {
        found& here = result.by_scenario[each.at("name").get<std::string>()];
        here.verdict = each.at("verdict").get<std::string>();
        if (!each.at("kind").is_null()) here.kind = each.at("kind").get<std::string>();
        // A search that found a violation stops there.
        if (here.verdict == "violated") continue;
        for (const auto& [outcome, count] : each.at("outcomes").items()) here.outcomes.insert(outcome);
        result.executions += each.at("executions").get<std::uint64_t>();
        result.blocked += each.at("blocked").get<std::uint64_t>();
    }
    return result;
}

report searched(const char* program, const std::vector<std::string>& scenarios, const char* reductions) {
    return report_from(report_of_graph_check(program, scenarios, {"--search", "full", "--reductions", reductions}));
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

// By the name of its type.
bool has_snapshots(const char* program) {
    std::ifstream file(program, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    return all.find("5graph13run_snapshotsE") != std::string::npos;
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

// Where the order of arrivals can be seen, there are as many with the reduction as without.
TEST_CASE("programs come to the same whether arrivals are in an order or in none") {
    const report with = searched(ORDEAL_PROGRAMS_BINARY, {"programs/arrivals_*"}, "all");
    const report without = searched(ORDEAL_PROGRAMS_BINARY, {"programs/arrivals_*"}, "-barriers");
    compare_within_bounds(with, without);
    CHECK(with.executions * 10 < without.executions);
}

// Where the order of critical sections can be seen, there are as many with the reduction as without. Without
// `--outcomes`, which always wants them in an order.
TEST_CASE("programs come to the same whether critical sections are in an order or in none") {
    const auto searched = [](const char* reductions) {
        return report_from(report_of(graph_check(ORDEAL_PROGRAMS_BINARY, {"programs/sections_*"},
                                                 {"--search", "full", "--reductions", reductions, "--json", "-"})));
    };
    const report with = searched("all");
    const report without = searched("-lock-elision");
    compare_within_bounds(with, without);
    CHECK(with.executions + 40 < without.executions);
}

TEST_CASE("programs with assumptions come to the same with all reductions and with none") {
    compare_within_bounds(searched(ORDEAL_PROGRAMS_BINARY, {"programs/assume_*"}, "all"),
                          searched(ORDEAL_PROGRAMS_BINARY, {"programs/assume_*"}, "none"));
}

TEST_CASE("a search without any reduction finds what one with all of them does") {
    const auto searched_with = [](const char* reductions) {
        return searched(ORDEAL_BINARY, {"event/*", "exhibit/two_flags/*"}, reductions);
    };
    const report all = searched_with("all");
    compare_within_bounds(all, searched_with("none"));
    for (const char* const one : {"retries,waiting", "blocked,spinloops,waiting", "spinloops", "symmetry", "waiting",
                                  "snapshots", "wake-ups", "barriers", "lock-elision", "spurious-failures"}) {
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
    CHECK(told.err.find("'loop'; the names are retries, blocked, spinloops") != std::string::npos);
}

TEST_CASE("a program without the sources of a reduction finds what the whole program does") {
    struct missing {
        const char* program;
        const char* scenario;  // of which the reduction leaves something out: a program that still had it would be seen
    };
    for (const auto& [program, scenario] : {missing{ORDEAL_WITHOUT_blocked, "programs/wait_for_two"},
                                            missing{ORDEAL_WITHOUT_spinloops, "programs/spin_lock_polite"},
                                            missing{ORDEAL_WITHOUT_retries, "programs/stack"},
                                            missing{ORDEAL_WITHOUT_spurious_failures, "programs/stack"},
                                            missing{ORDEAL_WITHOUT_symmetry, "programs/equal_threads_2"},
                                            missing{ORDEAL_WITHOUT_wake_ups, "programs/early_wait/others_race"}}) {
        CAPTURE(program);
        const report whole = searched(ORDEAL_PROGRAMS_BINARY, {scenario}, "all");
        const report found = searched(program, {scenario}, "all");
        compare_within_bounds(whole, found);
        CHECK(found.executions + found.blocked > whole.executions + whole.blocked);
    }
}

TEST_CASE("a program without the sources of snapshots makes the same executions") {
    CHECK(has_snapshots(ORDEAL_PROGRAMS_BINARY));
    CHECK_FALSE(has_snapshots(ORDEAL_WITHOUT_snapshots));
    const std::vector<std::string> scenarios{"programs/back_off_registers", "programs/wait_semaphore"};
    const report whole = searched(ORDEAL_PROGRAMS_BINARY, scenarios, "all");
    const report found = searched(ORDEAL_WITHOUT_snapshots, scenarios, "all");
    CHECK(found.by_scenario == whole.by_scenario);
    CHECK(found.executions == whole.executions);
    CHECK(found.blocked == whole.blocked);
}
