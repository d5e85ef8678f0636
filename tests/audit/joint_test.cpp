// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "latch.hpp"

#include <algorithm>
#include <string>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::violation_kind;
using ordeal::detail::order_verdict;
using ordeal::detail::site_verdict;

namespace {

const std::string file = "src/flags.hpp";
const auto first_store = make_site(file, 10, role::store, order::release);
const auto second_store = make_site(file, 11, role::store, order::release);
const auto first_load = make_site(file, 20, role::load, order::acquire);
const auto second_load = make_site(file, 21, role::load, order::acquire);
const std::vector<ordeal::site> all_sites{first_store, second_store, first_load, second_load};

std::vector<ordeal::detail::reached_site> reached(const std::vector<ordeal::site>& sites) {
    std::vector<ordeal::detail::reached_site> result;
    for (const auto& each : sites) result.push_back({each, true});
    return result;
}

bool pairs(const orders& at, const ordeal::site& from, const ordeal::site& to) {
    return ordeal::releases(at(from)) && ordeal::acquires(at(to));
}

// Data that is published by two flags, and either of them would do.
ordeal::detail::search_result two_flags(const orders& at) {
    const bool fine = pairs(at, first_store, first_load) || pairs(at, second_store, second_load);
    return fine ? all_held() : violation(violation_kind::data_race);
}

ordeal::detail::audited_subject audit_flags(std::function<ordeal::detail::search_result(const orders&)> says,
                                            ordeal::detail::audit_options options = {}) {
    suite tests;
    tests.add("flags/publish", reached(all_sites), std::move(says));
    return tests.audit(std::move(options)).subjects.at(0);
}

}  // namespace

TEST_CASE("orders that are not required by themselves may be weakened together as a minimal assignment says") {
    const auto subject = audit_flags(two_flags);
    REQUIRE(subject.joint.size() == 1);
    const auto& table = subject.joint[0];
    CHECK(table.complete);
    CHECK(table.note.empty());
    REQUIRE(table.sites.size() == 4);
    REQUIRE(table.minimal.size() == 2);
    CHECK(table.minimal[0].orders == std::vector{order::relaxed, order::release, order::relaxed, order::acquire});
    CHECK(table.minimal[1].orders == std::vector{order::release, order::relaxed, order::acquire, order::relaxed});
    for (const auto& each : table.minimal) CHECK(each.weaker);
    for (const auto& each : subject.sites) {
        CHECK(each.weaker.at(0).verdict == order_verdict::not_required);
        CHECK(each.verdict == site_verdict::stronger_than_needed);
    }
    CHECK(subject.complete);
}

TEST_CASE("all that is not required by itself, done at once, is refused with its violation") {
    const auto subject = audit_flags(two_flags);
    const auto& refused = subject.joint.at(0).all_at_once;
    REQUIRE(refused);
    CHECK(refused->overrides.size() == 4);
    for (const auto& each : refused->overrides) CHECK(each.replacement == order::relaxed);
    CHECK(refused->kind == violation_kind::data_race);
    CHECK(refused->scenario == "flags/publish");
    CHECK(refused->replay);

    CHECK_FALSE(audit_flags([](const orders&) { return all_held(); }).joint.at(0).all_at_once);
}

TEST_CASE("an assignment that is stronger at one site and weaker at another is found, after those that only weaken") {
    const auto subject = audit_flags([](const orders& at) {
        const bool fine = (pairs(at, first_store, first_load) && at(second_load) == order::acquire) ||
                          at(first_store) == order::seq_cst;
        return fine ? all_held() : violation(violation_kind::data_race);
    });
    const auto& minimal = subject.joint.at(0).minimal;
    REQUIRE(minimal.size() == 2);
    CHECK(minimal[0].weaker);
    CHECK(minimal[1].orders == std::vector{order::seq_cst, order::relaxed, order::relaxed, order::relaxed});
    CHECK_FALSE(minimal[1].weaker);
    CHECK(subject.sites.at(0).verdict == site_verdict::minimal);
    CHECK(subject.sites.at(1).verdict == site_verdict::stronger_than_needed);
}

TEST_CASE("sites that no scenario reaches together are solved apart") {
    suite tests;
    tests.add("flags/first", reached({first_store, first_load}), [](const orders& at) {
        return pairs(at, first_store, first_load) ? all_held() : violation(violation_kind::data_race);
    });
    tests.add("flags/second", reached({second_store, second_load}), [](const orders&) { return all_held(); });
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.joint.size() == 2);
    for (const auto& table : subject.joint) {
        CHECK(table.sites.size() == 2);
        CHECK(table.minimal.size() == 1);
    }
}

TEST_CASE("a site at which no other thread is met has no place in an assignment") {
    suite tests;
    auto sites = reached(all_sites);
    sites[1].crossed = false;
    tests.add("flags/publish", sites, [](const orders& at) {
        return pairs(at, first_store, first_load) ? all_held() : violation(violation_kind::data_race);
    });
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.joint.size() == 1);
    CHECK(subject.joint[0].sites.size() == 3);
    CHECK(subject.sites.at(1).verdict == site_verdict::unexercised);
}

TEST_CASE("a site where threads meet in a changed execution only has its place too") {
    suite tests;
    tests.add("flags/publish", {}, [](const orders& at) {
        auto result = pairs(at, first_store, first_load) ? all_held() : violation(violation_kind::data_race);
        result.sites = reached(all_sites);
        result.sites[3].crossed = at(second_store) == order::relaxed;
        return result;
    });
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.joint.size() == 1);
    CHECK(subject.joint[0].sites.size() == 4);
}

TEST_CASE("what a bounded search allows is listed with the bound, and no site is called stronger than needed by it") {
    const auto subject = audit_flags([](const orders& at) {
        return pairs(at, first_store, first_load) ? bounded("a limit") : violation(violation_kind::data_race);
    });
    const auto& minimal = subject.joint.at(0).minimal;
    REQUIRE(minimal.size() == 1);
    CHECK(minimal[0].limits == std::vector<ordeal::detail::limit>{"a limit"});
    for (const auto& each : subject.sites) CHECK(each.verdict != site_verdict::stronger_than_needed);
}

TEST_CASE("an assignment that was not decided leaves the list open, with the reason") {
    const auto subject = audit_flags([](const orders& at) {
        if (at(first_store) == order::seq_cst && at(second_store) == order::relaxed) return unclear("too large");
        return pairs(at, first_store, first_load) && ordeal::releases(at(second_store))
                   ? all_held()
                   : violation(violation_kind::data_race);
    });
    const auto& table = subject.joint.at(0);
    CHECK_FALSE(table.complete);
    CHECK(table.note.find("too large") != std::string::npos);
    REQUIRE(table.minimal.size() == 1);
    CHECK_FALSE(subject.complete);
}

TEST_CASE(
    "a limit on searches is said when it cuts, and what is not shown jointly is not called stronger than needed") {
    ordeal::detail::audit_options options;
    options.most_searches = 1;
    const auto subject = audit_flags(two_flags, options);
    CHECK_FALSE(subject.joint.at(0).complete);
    CHECK(subject.joint.at(0).note == "the limit on searches was reached");
    for (const auto& each : subject.sites) {
        CHECK(each.weaker.at(0).verdict == order_verdict::not_required);
        CHECK(each.verdict == site_verdict::undecided);
    }
}

TEST_CASE("a listed assignment was searched with just its orders, in every scenario") {
    suite tests;
    tests.add("flags/publish", reached(all_sites), two_flags);
    const auto report = tests.audit();
    for (const auto& each : report.subjects.at(0).joint.at(0).minimal) {
        const bool searched = std::ranges::any_of(tests.begun, [&](const ordeal::detail::search_job& job) {
            for (std::size_t i = 0; i != each.orders.size(); ++i) {
                const auto& where = report.subjects[0].joint[0].sites[i];
                const auto change = std::ranges::find_if(job.how.mutant.overrides,
                                                         [&](const auto& one) { return concerns(one, where); });
                const auto used = change == job.how.mutant.overrides.end() ? where.declared : change->replacement;
                if (used != each.orders[i]) return false;
            }
            return true;
        });
        CHECK(searched);
    }
}

TEST_CASE("the scenarios of another subject that reach the sites have to hold as well") {
    suite tests;
    tests.add("flags/publish", reached(all_sites), [](const orders&) { return all_held(); });
    tests.add("other/uses_flags", reached(all_sites), [](const orders& at) {
        return pairs(at, first_store, first_load) ? all_held() : violation(violation_kind::data_race);
    });
    const auto report = tests.audit();
    const auto& subject = report.subjects.at(0);
    REQUIRE(subject.name == "flags");
    REQUIRE(subject.joint.at(0).minimal.size() == 1);
    CHECK(subject.joint[0].minimal[0].orders ==
          std::vector{order::release, order::relaxed, order::acquire, order::relaxed});
}

TEST_CASE("an assignment rests on what a scenario that was not decided as written might have said") {
    suite tests;
    tests.add("flags/publish", reached(all_sites), two_flags);
    tests.add("other/uses_flags", reached(all_sites), [](const orders&) { return unclear("too large"); });
    const auto report = tests.audit();
    const auto& subject = report.subjects.at(0);
    REQUIRE(subject.name == "flags");
    REQUIRE(subject.joint.at(0).minimal.size() == 2);
    for (const auto& each : subject.joint[0].minimal) {
        REQUIRE(each.limits.size() == 1);
        CHECK(each.limits[0].sentence == "other/uses_flags: inconclusive, too large");
    }
    for (const auto& each : subject.sites) CHECK(each.verdict != site_verdict::stronger_than_needed);
}

TEST_CASE("an assignment rests on the bound of an own scenario that may have come to its sites behind it") {
    suite tests;
    tests.add("flags/publish", reached(all_sites), two_flags);
    tests.add("flags/far", {}, [](const orders&) { return bounded("a limit"); });
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.joint.at(0).minimal.size() == 2);
    for (const auto& each : subject.joint[0].minimal)
        CHECK(each.limits == std::vector<ordeal::detail::limit>{"a limit"});
}

TEST_CASE("the score is the share of weaker orders that the scenarios detect") {
    suite tests;
    tests.add("flags/publish", reached(all_sites), [](const orders& at) {
        return pairs(at, first_store, first_load) ? all_held() : violation(violation_kind::data_race);
    });
    const auto score = score_of(tests.audit().subjects.at(0));
    CHECK(score.injected == 4);
    CHECK(score.detected == 2);
    CHECK(score.detected_by == std::map<std::string, std::size_t>{{"flags/publish", 2}});
}

namespace {

// Which halves the engine saw orders lend to an edge between accesses that conflict.
std::vector<ordeal::detail::reached_site> used(std::vector<ordeal::detail::reached_site> sites, bool first,
                                               bool second) {
    sites[0].release_used = sites[2].acquire_used = first;
    sites[1].release_used = sites[3].acquire_used = second;
    return sites;
}

ordeal::detail::audited_subject audit_used(bool first, bool second,
                                           std::function<ordeal::detail::search_result(const orders&)> says) {
    suite tests;
    tests.engine.knows_handovers = true;
    tests.add("flags/publish", used(reached(all_sites), first, second), std::move(says));
    return tests.audit().subjects.at(0);
}

ordeal::detail::search_result always_held(const orders&) { return all_held(); }

}  // namespace

TEST_CASE("an order that orders no accesses is vacuous, names what is missing, and stays as it is written") {
    const auto subject = audit_used(false, true, always_held);
    const auto& store = subject.sites.at(0);
    CHECK(store.verdict == site_verdict::vacuous);
    CHECK(store.weaker.at(0).verdict == order_verdict::vacuous);
    CHECK(store.weaker[0].note ==
          "no thread that reads this write later makes an access that conflicts with one before the write");
    CHECK(subject.sites.at(2).weaker.at(0).note ==
          "no access after this read conflicts with an access before the write that was read");
    // What orders accesses that something else orders, too, is stronger than needed.
    CHECK(subject.sites.at(1).verdict == site_verdict::stronger_than_needed);
    const auto& table = subject.joint.at(0);
    REQUIRE(table.minimal.size() == 1);
    CHECK(table.minimal[0].orders == std::vector{order::release, order::relaxed, order::acquire, order::relaxed});
    REQUIRE(table.vacuous.size() == 2);
    CHECK(table.vacuous[0].key == first_store.key);
    CHECK(table.vacuous[1].key == first_load.key);
}

TEST_CASE("an order that stands for another one is not vacuous, whatever accesses it orders") {
    const auto subject = audit_used(false, false, two_flags);
    CHECK(subject.joint.at(0).minimal.size() == 2);
    for (const auto& each : subject.sites) CHECK(each.verdict == site_verdict::stronger_than_needed);
}

TEST_CASE("an engine that knows no handovers calls no order vacuous") {
    const auto subject = audit_flags(always_held);
    for (const auto& each : subject.sites) CHECK(each.verdict == site_verdict::stronger_than_needed);
}

TEST_CASE("who says that an order is stronger than needed stands beside it") {
    const auto subject = audit_flags(two_flags);
    for (const auto& each : subject.sites) {
        CHECK(each.scope == "in 1 scenario of 2 threads; all scenarios together detect 0 of 4 weaker orders");
    }
}
