// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "latch.hpp"

#include "ordeal/report/strict.hpp"

#include <catch2/catch.hpp>

using namespace audit_test;
using ordeal::order;
using ordeal::violation_kind;

namespace {

std::vector<std::string> open_points(const ordeal::detail::audit_report& report) {
    std::vector<std::string> result;
    for (const auto& each : ordeal::detail::shortfalls_of(report)) result.push_back(ordeal::detail::words(each));
    return result;
}

using sentences = std::vector<std::string>;

}  // namespace

TEST_CASE("where every order is decided by all executions, a strict reader has nothing to say") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders& at) {
        return at(load) == order::relaxed ? violation(violation_kind::data_race) : all_held();
    });
    CHECK(open_points(tests.audit()).empty());
}

TEST_CASE("a strict reader names what held within limits, and the sites that are undecided for it") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return bounded("ended after 10 executions"); });
    const auto points = open_points(tests.audit());
    REQUIRE(points.size() >= 2);
    CHECK(points[0] == "latch: scenario latch/a: held within: ended after 10 executions");
    CHECK(points[1].find("undecided") != std::string::npos);
}

TEST_CASE("a strict reader names the sites that no thread meets, and a scenario without a verdict") {
    suite tests;
    tests.add("latch/a", {{load, false}}, [](const orders&) { return all_held(); });
    const auto points = open_points(tests.audit());
    REQUIRE(points.size() == 1);
    CHECK(points[0].find("unexercised") != std::string::npos);

    suite others;
    others.add("latch/a", {{load, true}}, [](const orders&) { return unclear("no idea"); });
    CHECK(open_points(others.audit()).at(0) == "latch: scenario latch/a: inconclusive: no idea");
}

TEST_CASE("a strict reader of an audit that was stopped is told that it is not complete") {
    suite tests;
    tests.stop_after = 1;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    CHECK(open_points(tests.audit()).back().find("not complete") != std::string::npos);
}

TEST_CASE("of scenarios that were checked a strict reader names those that held within or have no verdict") {
    ordeal::scenario what;
    what.name = "latch/a";
    ordeal::detail::check_report report;
    const auto add = [&](ordeal::detail::search_result result) {
        report.scenarios.push_back({.what = &what, .engine = "fake", .result = std::move(result), .token = {}});
    };
    add(all_held());
    add(violation(violation_kind::data_race));
    CHECK(ordeal::detail::shortfalls_of(report).empty());
    add(bounded("ended"));
    add(unclear("no idea"));
    add(all_held());
    report.scenarios.back().result.complete = false;
    const auto found = ordeal::detail::shortfalls_of(report);
    REQUIRE(found.size() == 3);
    CHECK(ordeal::detail::words(found[0]) == "latch/a: with fake: held within: ended");
    CHECK(ordeal::detail::words(found[1]) == "latch/a: with fake: inconclusive: no idea");
    CHECK(ordeal::detail::words(found[2]) == "latch/a: with fake: not searched to its end");
}
