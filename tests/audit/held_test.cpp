// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an engine that explores every execution makes of an audit: verdicts, and what alone still keeps one from them.
#include "latch.hpp"

#include <catch2/catch.hpp>

using namespace audit_test;
using ordeal::order;
using ordeal::violation_kind;
using ordeal::detail::order_verdict;
using ordeal::detail::site_verdict;

TEST_CASE("where every search held, a site is minimal or stronger than needed, and nothing is undecided") {
    suite tests;
    tests.add("latch/a", {{load, true}, {swap, true}}, [](const orders& at) {
        return at(load) == order::relaxed ? violation(violation_kind::data_race) : all_held();
    });
    tests.add("latch/b", {}, [](const orders&) { return all_held(); });  // reaches neither, in no execution
    const auto report = tests.audit();
    CHECK(report.subjects[0].verdict == ordeal::detail::verdict::held);
    CHECK(report.subjects[0].complete);
    const auto& sites = report.subjects[0].sites;
    REQUIRE(sites.size() == 2);
    CHECK(sites[0].verdict == site_verdict::minimal);
    CHECK(sites[1].verdict == site_verdict::stronger_than_needed);
    for (const auto& each : sites[1].weaker) {
        CHECK(each.verdict == order_verdict::not_required);
        CHECK(each.note.empty());
    }
}

TEST_CASE("a bounded search as written that did not reach a site might have: the site is undecided") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    tests.add("latch/b", {}, [](const orders&) { return bounded("ended after 10 executions"); });
    const auto site = only_site(tests.audit());
    CHECK(site.verdict == site_verdict::undecided);
    CHECK(site.weaker[0].note == "no violation; bounded by: ended after 10 executions");
}

TEST_CASE("another subject's bounded search that did not reach a site leaves it decided") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    tests.add("queue/a", {}, [](const orders&) { return bounded("ended after 10 executions"); });
    const auto report = tests.audit();
    REQUIRE(report.subjects[0].sites.size() == 1);
    CHECK(report.subjects[0].sites[0].verdict == site_verdict::stronger_than_needed);
}

TEST_CASE("one inconclusive search among those that held keeps an order from being not required") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    tests.add("latch/b", {{load, true}},
              [](const orders& at) { return at(load) == order::relaxed ? unclear("too long") : all_held(); });
    tests.add("latch/c", {{load, true}}, [](const orders&) { return all_held(); });
    const auto site = only_site(tests.audit());
    CHECK(site.verdict == site_verdict::undecided);
    CHECK(site.weaker[0].searches == 3);
    CHECK(site.weaker[0].note == "no violation; bounded by: latch/b: inconclusive, too long");
}

TEST_CASE(
    "a search of the code as written uses several processes where searches are fewer, one of changed code never") {
    suite tests;
    tests.add("latch/a", {{load, true}, {swap, true}}, [](const orders&) { return all_held(); });
    ordeal::detail::audit_options options;
    options.isolation.jobs = 3;
    options.search.bounds.spurious = 7;
    (void)tests.audit(options);
    REQUIRE(tests.begun.size() == 6);  // as written, one weaker load, three weaker exchanges, all of them at once
    CHECK(tests.begun[0].how.resources.jobs == 3);
    for (std::size_t i = 1; i != 6; ++i) CHECK(tests.begun[i].how.resources.jobs == 1);
    for (const auto& each : tests.begun) CHECK(each.how.bounds.spurious == 7);
}
