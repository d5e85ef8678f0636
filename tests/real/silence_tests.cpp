// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds in the model holds on real threads too, and no sanitizer has anything to say. No suppressions.
#include "real/child.hpp"
#include "real/seed.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <cstdio>
#include <string_view>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::tests;

namespace {

void check_silent(const scenario& what, std::uint64_t samples) {
    trial_order order;
    order.scenario = what.name;
    order.seed = first_seed();
    order.samples = samples;
    order.seconds = 1;
    const trial_outcome ran = run_trial(order);
    INFO(ran.describe(order));
    CHECK(ran.reports.empty());
    CHECK(WIFEXITED(ran.status));
    CHECK(WEXITSTATUS(ran.status) == 0);
    REQUIRE(ran.result);
    CHECK(ran.result->verdict == verdict::held_within);
    CHECK(ran.result->executions > 0);
    std::printf("%s: %llu samples, seed %llu\n", what.name.c_str(),
                static_cast<unsigned long long>(ran.result->executions), static_cast<unsigned long long>(order.seed));
}

template <class Choose>
void check_all_silent(std::uint64_t samples, Choose choose) {
    std::size_t checked = 0;
    for (const scenario& each : scenarios()) {
        if (!choose(each)) continue;
        ++checked;
        DYNAMIC_SECTION(each.name) { check_silent(each, samples); }
    }
    REQUIRE(checked > 0);
}

bool of(const scenario& what, std::string_view folder) {
    return !what.exhibit && what.name.starts_with(std::string(folder) + "/");
}

constexpr std::uint64_t production = 20'000;
constexpr std::uint64_t exhibits = 10'000;

}  // namespace

TEST_CASE("no scenario of the event has anything reported") {
    check_all_silent(production, [](const scenario& each) { return of(each, "event"); });
}

TEST_CASE("no scenario of the shared event has anything reported") {
    check_all_silent(production, [](const scenario& each) { return of(each, "shared_event"); });
}

TEST_CASE("no scenario of the task has anything reported") {
    check_all_silent(production, [](const scenario& each) { return of(each, "task"); });
}

TEST_CASE("no other scenario of production code has anything reported") {
    check_all_silent(production, [](const scenario& each) {
        return !each.exhibit && !of(each, "event") && !of(each, "shared_event") && !of(each, "task");
    });
}

TEST_CASE("no exhibit that holds in the model has anything reported") {
    check_all_silent(exhibits, [](const scenario& each) { return each.exhibit && !each.expected.violation; });
}
