// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stress/runs.hpp"

#include "ordeal/report/stress_report.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <string>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::stress_tests;
using Catch::Matchers::Contains;

namespace {

// Bugs that real threads show soon on any machine with two processors.
struct control {
    const char* scenario;
    violation_kind kind;
};

constexpr control controls[] = {
    {"exhibit/control/failed_requirement", violation_kind::failed_requirement},
    {"exhibit/control/leak", violation_kind::leak},
    {"exhibit/control/deadlock", violation_kind::deadlock},
    {"exhibit/control/livelock", violation_kind::deadlock},  // from outside both are threads that make no progress
    {"exhibit/control/uncaught_exception", violation_kind::uncaught_exception},
    {"exhibit/control/double_free", violation_kind::crash},
    {"exhibit/bug_unconditional_suspend/set_against_await", violation_kind::failed_requirement},
    {"exhibit/bug_check_then_set/complete_against_await", violation_kind::failed_requirement},
    {"exhibit/bug_stale_ticket/notify_against_wait", violation_kind::deadlock},
};

}  // namespace

TEST_CASE("bugs that real threads can show are reported, each with its kind") {
    std::vector<const scenario*> what;
    for (const control& each : controls) what.push_back(&find(each.scenario));
    const std::vector<search_result> results = run_each(what, samples(2'000'000, 2));
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(controls[i].scenario, results[i].message, seed);
        CHECK(results[i].verdict == verdict::violated);
        CHECK(results[i].kind == controls[i].kind);
    }
}

TEST_CASE("a hang is reported with the place of every thread") {
    const scenario* const deadlock = &find("exhibit/control/deadlock");
    const search_result result = run_each({&deadlock, 1}, samples(2'000'000, 2)).front();
    REQUIRE(result.kind == violation_kind::deadlock);
    CHECK_THAT(result.message, Contains("first at ") && Contains("second at ") && Contains("seed 1"));
}

TEST_CASE("production code shows no violation and no outcome that its scenario forbids") {
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    std::vector<const scenario*> what;
    for (const scenario& each : scenarios()) {
        if (!each.exhibit) what.push_back(&each);
    }
    REQUIRE(what.size() > 40);
    const std::vector<search_result> results = run_each(what, samples(2'000, 20));
    std::uint64_t faults = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(what[i]->name, results[i].message, seed);
        CHECK(results[i].verdict == verdict::held_within);
        CHECK(results[i].executions >= 2'000);
        CHECK(results[i].faults_survived == results[i].faults_injected);
        faults += results[i].faults_injected;
        stressed_scenario stressed;
        stressed.what = what[i];
        stressed.ran = results[i];
        judge(stressed);
        CHECK(stressed.message.empty());
        std::uint64_t counted = 0;
        for (const shown_outcome& shown : stressed.outcomes) counted += shown.samples;
        CHECK(counted == results[i].executions);
    }
    CHECK(faults >= std::uint64_t{3} * 2'000);  // three scenarios inject one in each sample
}

TEST_CASE("a run names the seed that its delays come from") {
    const scenario* const what = &find("event/set_against_one_waiter");
    for (const std::uint64_t each : {1U, 2U, 3U}) {
        search_options how = samples(1'000, 20);
        how.strategy.seed = each;
        const search_result result = run_each({&what, 1}, how).front();
        CAPTURE(each, result.message);
        CHECK(result.verdict == verdict::held_within);
        REQUIRE(result.limits.size() == 1);
        CHECK_THAT(result.limits.front().sentence, Contains("seed " + std::to_string(each)));
    }
}
