// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positive controls: what is known to be wrong must be reported, by kind and at the right line. If ThreadSanitizer is
// silent here, its silence about production code says nothing.
#include "exhibit_table.hpp"

#include "ordeal/audit/source/order_comment.hpp"
#include "ordeal/report/tsan_report.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "real/child.hpp"
#include "real/seed.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::tests;

namespace {

constexpr unsigned tries = 12;  // the two sides of a race may miss each other on a busy machine

struct first_report {
    std::vector<tsan_report> reports;
    std::string told;
    bool blocked = false;  ///< the threads did block each other: the run itself says so
};

// Runs with rising seeds until something is reported.
first_report run_until_reported(trial_order& order) {
    first_report result;
    for (unsigned i = 0; i < tries && result.reports.empty() && !result.blocked; ++i, ++order.seed) {
        const trial_outcome ran = run_trial(order);
        result.told = ran.describe(order);
        result.reports = parse_tsan_reports(ran.reports);
        result.blocked = ran.result && ran.result->kind == violation_kind::deadlock;
    }
    --order.seed;
    return result;
}

bool is_at(const tsan_access& access, const exhibit_on_real_threads& wanted) {
    static detail::source_cache sources;
    return std::ranges::any_of(access.frames, [&](const tsan_frame& frame) {
        const auto lines = sources.lines(frame.file);
        return frame.file.ends_with(wanted.file) && frame.line != 0 && frame.line <= lines.size() &&
               lines[frame.line - 1].find(wanted.line) != std::string::npos;
    });
}

void check_reported(const exhibit_on_real_threads& wanted) {
    trial_order order;
    order.scenario = wanted.scenario;
    order.seed = first_seed();
    order.stop_at_report = true;
    const first_report first = run_until_reported(order);
    INFO(first.told);
    // ThreadSanitizer tells a lock order that could block after it has seen both orders; threads that meet at once do
    // block, and never get that far.
    if (first.reports.empty() && first.blocked && wanted.reported.front() == violation_kind::deadlock) {
        CHECK(first.told.find("nothing moves") != std::string::npos);
        std::printf("%s, seed %llu: the threads did block each other\n", order.scenario.c_str(),
                    static_cast<unsigned long long>(order.seed));
        return;
    }
    REQUIRE_FALSE(first.reports.empty());
    const tsan_report& report = first.reports.front();
    const search_result result = to_search_result(report);
    std::printf("%s, seed %llu: %s\n", order.scenario.c_str(), static_cast<unsigned long long>(order.seed),
                result.message.c_str());
    CHECK(result.verdict == verdict::violated);
    REQUIRE(report.kind);
    CHECK(std::ranges::find(wanted.reported, *report.kind) != wanted.reported.end());
    CHECK(std::ranges::any_of(report.accesses, [&](const tsan_access& each) { return is_at(each, wanted); }));
}

void check_not_visible(const exhibit_on_real_threads& exhibit) {
    trial_order order;
    order.scenario = exhibit.scenario;
    order.seed = first_seed();
    order.seconds = 1;
    order.hard_limit = 3;
    const trial_outcome ran = run_trial(order);
    INFO(ran.describe(order));
    CHECK(parse_tsan_reports(ran.reports).empty());
    std::printf("%s is not visible: %s\n", order.scenario.c_str(), std::string(exhibit.why).c_str());
}

template <class Choose>
void for_exhibits(Choose choose, void (*check)(const exhibit_on_real_threads&)) {
    std::size_t checked = 0;
    for (const auto& each : exhibit_table()) {
        if (!choose(each)) continue;
        ++checked;
        DYNAMIC_SECTION(each.scenario) { check(each); }
    }
    REQUIRE(checked > 0);
}

bool is_control(const exhibit_on_real_threads& exhibit) { return exhibit.scenario.starts_with("exhibit/control/"); }

}  // namespace

TEST_CASE("the smallest program for each kind of violation is reported, by its kind, at its line") {
    for_exhibits([](const auto& each) { return is_control(each) && each.visible(); }, check_reported);
}

TEST_CASE("published designs and bug shapes that race are reported, by their kind, at their line") {
    for_exhibits([](const auto& each) { return !is_control(each) && each.visible(); }, check_reported);
}

TEST_CASE("what is called not visible is not reported") {
    for_exhibits([](const auto& each) { return !each.visible(); }, check_not_visible);
}

TEST_CASE("every exhibit that is violated in the model is in the table once, reported or with a reason") {
    std::size_t expected = 0;
    for (const scenario& each : scenarios()) {
        if (!each.exhibit || !each.expected.violation) continue;
        ++expected;
        INFO(each.name);
        CHECK(std::ranges::count(exhibit_table(), each.name, &exhibit_on_real_threads::scenario) == 1);
    }
    CHECK(expected == exhibit_table().size());
    for (const auto& each : exhibit_table()) {
        INFO(each.scenario);
        CHECK(each.visible() == each.why.empty());
        CHECK(each.visible() == !each.line.empty());
    }
}
