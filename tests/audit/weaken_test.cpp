// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "latch.hpp"

#include "ordeal/audit/judge.hpp"

#include <catch2/catch.hpp>

#include <csignal>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::violation_kind;
using ordeal::detail::order_verdict;
using ordeal::detail::site_verdict;

namespace {

// A suite with one scenario that reaches `load`; relaxed there, its search gives `changed`.
ordeal::detail::audited_site audit_load(const ordeal::detail::search_result& changed, bool crossed = true) {
    suite tests;
    tests.add("latch/wait", {{load, crossed}},
              [changed](const orders& at) { return at(load) == order::relaxed ? changed : all_held(); });
    return only_site(tests.audit());
}

}  // namespace

TEST_CASE("a violated scenario makes the order required and is shown") {
    const auto site = audit_load(violation(violation_kind::data_race));
    CHECK(site.verdict == site_verdict::minimal);
    REQUIRE(site.weaker.size() == 1);
    const auto& relaxed = site.weaker[0];
    CHECK(relaxed.tried == order::relaxed);
    CHECK(relaxed.verdict == order_verdict::required);
    CHECK(relaxed.scenario == "latch/wait");
    CHECK(relaxed.kind == violation_kind::data_race);
    CHECK(relaxed.message == "seen by the fake engine");
    REQUIRE(relaxed.overrides.size() == 1);
    CHECK(relaxed.overrides[0] == ordeal::order_override{load.key, order::relaxed});
    CHECK(relaxed.replay == ordeal::detail::choices{"1.2.3"});
    CHECK(relaxed.searches == 1);
    CHECK(site.note == "relaxed -> data race in latch/wait");
}

TEST_CASE("a crash of the code on trial makes the order required") {
    CHECK(audit_load(violation(violation_kind::crash)).weaker[0].verdict == order_verdict::required);
}

TEST_CASE("an order is not required only when every execution was explored") {
    SECTION("all explored") {
        const auto site = audit_load(all_held());
        CHECK(site.weaker[0].verdict == order_verdict::not_required);
        CHECK(site.verdict == site_verdict::stronger_than_needed);
    }
    SECTION("a bounded search") {
        const auto site = audit_load(bounded("stale by one store"));
        CHECK(site.weaker[0].verdict == order_verdict::undecided);
        CHECK(site.weaker[0].note == "no violation; bounded by: stale by one store");
        CHECK(site.verdict == site_verdict::undecided);
    }
    SECTION("held, but cut short") {
        auto cut = all_held();
        cut.complete = false;
        CHECK(audit_load(cut).weaker[0].verdict == order_verdict::undecided);
    }
    SECTION("held, but the search did not meet the changed site") {
        auto elsewhere = all_held();
        elsewhere.sites = {{swap, true}};
        CHECK(audit_load(elsewhere).weaker[0].verdict == order_verdict::undecided);
    }
    SECTION("inconclusive") {
        const auto site = audit_load(unclear("the engine cannot do this"));
        CHECK(site.weaker[0].verdict == order_verdict::undecided);
        CHECK(site.weaker[0].note.find("the engine cannot do this") != std::string::npos);
    }
}

TEST_CASE("a time-out or a nondeterministic scenario never makes an order required") {
    for (const auto kind : {violation_kind::time_out, violation_kind::nondeterminism}) {
        const auto site = audit_load(violation(kind));
        CHECK(site.weaker[0].verdict == order_verdict::undecided);
        CHECK(site.weaker[0].note.find(to_string(kind)) != std::string::npos);
        CHECK(site.verdict == site_verdict::undecided);
    }
}

TEST_CASE("a site that meets no other thread is unexercised") {
    const auto site = audit_load(all_held(), false);
    CHECK(site.weaker[0].verdict == order_verdict::unexercised);
    CHECK(site.verdict == site_verdict::unexercised);
    CHECK(audit_load(bounded("a limit"), false).verdict == site_verdict::unexercised);
    CHECK(audit_load(violation(violation_kind::time_out), false).verdict == site_verdict::undecided);
}

TEST_CASE("one order that is not required makes a site stronger than needed, whatever the others") {
    suite tests;
    tests.add("latch/swap", {{swap, true}}, [](const orders& at) {
        if (at(swap) == order::relaxed) return violation(violation_kind::data_race);
        return at(swap) == order::acquire ? bounded("a limit") : all_held();
    });
    const auto site = only_site(tests.audit());
    REQUIRE(site.weaker.size() == 3);
    CHECK(site.weaker[0].verdict == order_verdict::required);
    CHECK(site.weaker[1].verdict == order_verdict::undecided);
    CHECK(site.weaker[2].verdict == order_verdict::not_required);
    CHECK(site.verdict == site_verdict::stronger_than_needed);
}

TEST_CASE("a relaxed site is minimal when it meets another thread and unexercised when not") {
    const auto count = make_site("src/latch.hpp", 30, role::fetch, order::relaxed);
    for (const bool crossed : {true, false}) {
        suite tests;
        tests.add("latch/count", {{count, crossed}}, [](const orders&) { return all_held(); });
        const auto site = only_site(tests.audit());
        CHECK(site.weaker.empty());
        CHECK(site.verdict == (crossed ? site_verdict::minimal : site_verdict::unexercised));
    }
}

TEST_CASE("a fence counts as exercised when it is reached") {
    const auto fence = make_site("src/latch.hpp", 31, role::fence, order::acquire);
    suite tests;
    tests.add("latch/drop", {{fence, false}}, [](const orders&) { return all_held(); });
    CHECK(only_site(tests.audit()).weaker[0].verdict == order_verdict::not_required);
}

TEST_CASE("the first violation ends the searches of its order, and a subject's own scenarios come first") {
    suite tests;
    const auto race = [](const orders& at) {
        return at(load) == order::relaxed ? violation(violation_kind::data_race) : all_held();
    };
    tests.add("alpha/uses_latch", {{load, true}}, race);
    tests.add("latch/b", {{load, true}}, race);
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    const auto report = tests.audit();
    REQUIRE(report.subjects.size() == 2);
    CHECK(report.subjects[0].sites.empty());  // the file is latch's
    REQUIRE(report.subjects[1].sites.size() == 1);
    CHECK(report.subjects[1].sites[0].weaker[0].scenario == "latch/b");
    CHECK(report.subjects[1].sites[0].weaker[0].searches == 2);
    CHECK(tests.begun.size() == 5);
}

TEST_CASE("another subject's scenario can make an order required") {
    suite tests;
    tests.add("alpha/uses_latch", {{load, true}}, [](const orders& at) {
        return at(load) == order::relaxed ? violation(violation_kind::deadlock) : all_held();
    });
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    const auto report = tests.audit();
    CHECK(report.subjects[1].sites[0].weaker[0].scenario == "alpha/uses_latch");
}

TEST_CASE("a scenario that is to be violated, or was not searched to an end as written, is no witness") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    auto& other = tests.add("latch/b", {{load, true}}, [](const orders& at) {
        return at(load) == order::relaxed ? violation(violation_kind::data_race) : unclear("too long");
    });
    SECTION("inconclusive as written: its silence decides nothing") {
        const auto report = tests.audit();
        const auto site = only_site(report);
        CHECK(site.weaker[0].verdict == order_verdict::undecided);
        CHECK(site.weaker[0].note.find("latch/b: inconclusive, too long") != std::string::npos);
        CHECK_FALSE(report.subjects[0].as_expected);
        CHECK(report.subjects[0].verdict == ordeal::detail::verdict::inconclusive);
    }
    SECTION("expected to be violated") {
        other.expected = ordeal::violated(violation_kind::data_race);
        CHECK(only_site(tests.audit()).weaker[0].verdict == order_verdict::not_required);
    }
}

TEST_CASE("one place with two declared orders is two sites") {
    const auto seq_cst = make_site("src/latch.hpp", 10, role::load, order::seq_cst);
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    tests.add("latch/b", {{seq_cst, true}},
              [&](const orders& at) { return at(seq_cst) == order::seq_cst ? all_held() : bounded("a limit"); });
    const auto report = tests.audit();
    REQUIRE(report.subjects[0].sites.size() == 2);
    CHECK(report.subjects[0].sites[0].verdict == site_verdict::stronger_than_needed);
    CHECK(report.subjects[0].sites[1].weaker.size() == 2);
    CHECK(report.subjects[0].sites[1].verdict == site_verdict::undecided);
}

TEST_CASE("what was not searched when the audit was stopped is undecided, and what was done is kept") {
    suite tests;
    tests.add("latch/a", {{load, true}, {swap, true}}, [](const orders& at) {
        return at(load) == order::relaxed ? violation(violation_kind::leak) : all_held();
    });
    tests.stop_after = GENERATE(std::size_t{2}, std::size_t{0});  // after one weaker order; before anything
    const auto report = tests.audit();
    CHECK(report.stopped);
    CHECK_FALSE(report.subjects[0].complete);
    if (tests.stop_after == 0) {
        CHECK(report.subjects[0].verdict == ordeal::detail::verdict::inconclusive);
        CHECK(report.subjects[0].scenarios[0].result.message == "not searched");
        return;
    }
    const auto& sites = report.subjects[0].sites;
    REQUIRE(sites.size() == 2);
    CHECK(sites[0].verdict == site_verdict::minimal);
    CHECK(sites[1].verdict == site_verdict::undecided);
    REQUIRE(sites[1].weaker.size() == 3);
    for (const auto& each : sites[1].weaker) {
        CHECK(each.verdict == order_verdict::undecided);
        CHECK(each.note == "not searched");
    }
}

TEST_CASE("a subject's verdict is the worst of its scenarios', and its totals count every search") {
    suite tests;
    tests.add("latch/a", {{load, true}}, [](const orders&) { return all_held(); });
    tests.add("latch/b", {}, [](const orders&) { return bounded("a limit"); });
    const auto report = tests.audit();
    CHECK(report.engine == "fake");
    CHECK_FALSE(report.stopped);
    CHECK(report.subjects[0].verdict == ordeal::detail::verdict::held_within);
    CHECK(report.subjects[0].as_expected);
    CHECK(report.subjects[0].complete);
    CHECK(report.subjects[0].searches == 3);
    CHECK(report.subjects[0].executions == 30);
}

TEST_CASE("the audit runs its searches in processes of their own") {
    suite tests;
    tests.add("latch/wait", {{load, true}, {swap, true}}, [](const orders& at) {
        if (at(load) == order::relaxed) std::raise(SIGSEGV);
        return at(swap) == order::relaxed ? violation(violation_kind::use_after_free) : all_held();
    });
    const auto report = tests.audit_in_processes();
    REQUIRE(report.subjects.size() == 1);
    REQUIRE(report.subjects[0].sites.size() == 2);
    CHECK(report.subjects[0].sites[0].weaker[0].kind == violation_kind::crash);
    CHECK(report.subjects[0].sites[1].weaker[0].kind == violation_kind::use_after_free);
    CHECK(report.subjects[0].sites[1].weaker[1].verdict == order_verdict::not_required);
}

TEST_CASE("of several violations the first in the order of the searches is shown, whichever ended first") {
    ordeal::scenario first, second, third;
    first.name = "latch/first";
    second.name = "latch/second";
    third.name = "latch/third";
    auto fine = all_held();
    fine.sites = {{load, true}};
    const auto race = violation(violation_kind::data_race);
    const auto leak = violation(violation_kind::leak);
    const std::vector<ordeal::detail::changed_search> searches = {{&first, &fine}, {&second, &race}, {&third, &leak}};
    const auto judged =
        ordeal::detail::judge_order(load, order::relaxed, {.crossed = true, .objections = {}, .unseen = {}}, searches);
    CHECK(judged.verdict == order_verdict::required);
    CHECK(judged.scenario == "latch/second");
    CHECK(judged.kind == violation_kind::data_race);
    CHECK(judged.searches == 3);
}

TEST_CASE("a bounded search that does not name its bound is bounded all the same") {
    CHECK(audit_load(result_of(ordeal::detail::verdict::held_within)).weaker[0].verdict == order_verdict::undecided);
}

TEST_CASE("two orders at one place are two sites, and a change says which of them it is of") {
    suite tests;
    auto other = load;
    other.declared = order::seq_cst;
    tests.add("latch/wait", {{load, true}, {other, true}, {swap, true}}, [&](const orders& at) {
        if (at(load) == order::relaxed) return violation(violation_kind::data_race);
        return at(swap) == order::relaxed ? violation(violation_kind::deadlock) : all_held();
    });
    const auto sites = tests.audit().subjects.at(0).sites;
    REQUIRE(sites.size() == 3);
    CHECK(sites[0].where.declared == order::acquire);
    CHECK(sites[0].verdict == site_verdict::minimal);
    CHECK(sites[0].weaker.at(0).overrides ==
          std::vector<ordeal::order_override>{{load.key, order::relaxed, order::acquire}});
    CHECK(to_string(sites[0].weaker.at(0).overrides.at(0)) == "src/latch.hpp@10.5.load.acquire=relaxed");
    CHECK(sites[1].where.declared == order::seq_cst);
    CHECK(sites[1].verdict == site_verdict::stronger_than_needed);
    CHECK(to_string(sites[2].weaker.at(0).overrides.at(0)) == "src/latch.hpp@20.5.exchange=relaxed");
}

TEST_CASE("an order that is required by a violation names what that rests on") {
    auto found = violation(violation_kind::data_race);
    found.limits = {{"assembler", "a fence that was not seen", ordeal::detail::limit_effect::unseen}};
    const auto site = audit_load(found);
    CHECK(site.weaker.at(0).verdict == order_verdict::required);
    CHECK(site.weaker.at(0).limits == found.limits);
}
