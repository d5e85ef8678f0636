// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.hpp"

#include <catch2/catch.hpp>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::violation_kind;
using ordeal::detail::order_verdict;
using ordeal::detail::site_verdict;

namespace {

const auto store = make_site("src/ordeal/coro/exhibits/flag.cpp", 10, role::store, order::relaxed);
const auto load = make_site("src/ordeal/coro/exhibits/flag.cpp", 20, role::load, order::relaxed);
const auto swap = make_site("src/ordeal/coro/exhibits/flag.cpp", 30, role::exchange, order::relaxed);

bool publishes(order value) { return ordeal::releases(value); }

// An exhibit that is violated unless `fine` holds of the orders in force.
template <class Fine>
ordeal::detail::audited_subject audit_exhibit(const std::vector<ordeal::site>& sites, Fine fine,
                                              ordeal::detail::audit_options options = {}) {
    suite tests;
    std::vector<ordeal::detail::reached_site> reached;
    for (const auto& each : sites) reached.push_back({each, true});
    auto& what = tests.add("relaxed_flag/payload", reached, [fine](const orders& at) {
        return fine(at) ? all_held() : violation(violation_kind::data_race);
    });
    what.expected = ordeal::violated(violation_kind::data_race);
    what.exhibit = true;
    const auto report = tests.audit(std::move(options));
    REQUIRE(report.subjects.size() == 1);
    return report.subjects[0];
}

}  // namespace

TEST_CASE("the weakest order at one site that repairs is a repair, and the site is too weak") {
    const auto subject = audit_exhibit({store, load}, [](const orders& at) { return publishes(at(store)); });
    CHECK(subject.exhibit);
    CHECK(subject.as_expected);
    CHECK(subject.verdict == ordeal::detail::verdict::violated);
    CHECK(subject.kind == violation_kind::data_race);
    REQUIRE(subject.repairs.size() == 1);
    REQUIRE(subject.repairs[0].changes.size() == 1);
    CHECK(subject.repairs[0].changes[0] == ordeal::order_override{store.key, order::release});
    CHECK(subject.repairs[0].limits.empty());
    CHECK(subject.note ==
          "these are all minimal repairs: every other set of changes was excluded; searched for repairs: 2 atomic "
          "sites, in src/ordeal/coro/exhibits/flag.cpp");
    REQUIRE(subject.sites.size() == 2);
    CHECK(subject.sites[0].verdict == site_verdict::too_weak);
    CHECK(subject.sites[0].stronger == order::release);
    CHECK(subject.sites[1].verdict == site_verdict::undecided);
    CHECK(subject.sites[1].note == "the subject is violated as written, and this site is part of no repair");
}

TEST_CASE("two sites that repair on their own are two repairs") {
    const auto subject = audit_exhibit({store, swap}, [](const orders& at) {
        return publishes(at(store)) || at(swap) == order::acq_rel || at(swap) == order::seq_cst;
    });
    REQUIRE(subject.repairs.size() == 2);
    CHECK(subject.repairs[0].changes[0].replacement == order::release);
    CHECK(subject.repairs[1].changes[0].replacement == order::acq_rel);
}

TEST_CASE("where no single site repairs, the minimal pairs do") {
    const auto subject = audit_exhibit(
        {store, load, swap}, [](const orders& at) { return publishes(at(store)) && ordeal::acquires(at(load)); });
    REQUIRE(subject.repairs.size() == 1);
    REQUIRE(subject.repairs[0].changes.size() == 2);
    CHECK(subject.repairs[0].changes[0] == ordeal::order_override{store.key, order::release});
    CHECK(subject.repairs[0].changes[1] == ordeal::order_override{load.key, order::acquire});
    CHECK(subject.sites[0].verdict == site_verdict::too_weak);
    CHECK(subject.sites[0].note ==
          "release repairs the subject, together with acquire at src/ordeal/coro/exhibits/flag.cpp:20");
    CHECK(subject.sites[1].verdict == site_verdict::too_weak);
    CHECK(subject.sites[2].verdict == site_verdict::undecided);
}

TEST_CASE("what no order repairs is said after one search") {
    const auto subject = audit_exhibit({store, load}, [](const orders&) { return false; });
    CHECK(subject.repairs.empty());
    CHECK(subject.note ==
          "no memory order repairs it: violated with every order at its strongest (2 atomic sites that its scenarios "
          "reach, in src/ordeal/coro/exhibits/flag.cpp)");
    CHECK(subject.searches == 2);  // as written, and every site at its strongest
    CHECK(subject.sites[0].verdict == site_verdict::undecided);
}

TEST_CASE("a repair may need any number of sites") {
    const auto subject = audit_exhibit({store, load, swap}, [](const orders& at) {
        return publishes(at(store)) && ordeal::acquires(at(load)) && publishes(at(swap));
    });
    REQUIRE(subject.repairs.size() == 1);
    CHECK(subject.repairs[0].changes.size() == 3);
    for (const auto& each : subject.sites) CHECK(each.verdict == site_verdict::too_weak);
}

TEST_CASE("all minimal repairs are listed, those of few sites first") {
    const auto subject = audit_exhibit({store, load, swap}, [](const orders& at) {
        return (publishes(at(store)) && ordeal::acquires(at(load))) || at(swap) == order::seq_cst;
    });
    REQUIRE(subject.repairs.size() == 2);
    CHECK(subject.repairs[0].changes == std::vector<ordeal::order_override>{{swap.key, order::seq_cst}});
    CHECK(subject.repairs[1].changes.size() == 2);
}

TEST_CASE("where its own sites do not repair a subject, those that its scenarios reach elsewhere may") {
    const auto elsewhere = make_site("src/ordeal/coro/scenarios/harness.cpp", 7, role::store, order::relaxed);
    suite tests;
    tests.add("relaxed_flag/fine", {{store, true}}, [](const orders&) { return all_held(); }).exhibit = false;
    auto& what = tests.add("flag/payload", {{elsewhere, true}, {load, true}}, [&](const orders& at) {
        return publishes(at(elsewhere)) ? all_held() : violation(violation_kind::data_race);
    });
    what.expected = ordeal::violated(violation_kind::data_race);
    const auto report = tests.audit();
    const auto& subject = report.subjects.at(0);
    REQUIRE(subject.name == "flag");
    REQUIRE(subject.sites.at(0).where.key == load.key);  // its own file
    REQUIRE(subject.repairs.size() == 1);
    CHECK(subject.repairs[0].changes == std::vector<ordeal::order_override>{{elsewhere.key, order::release}});
    CHECK(
        subject.note ==
        "these are all minimal repairs: every other set of changes was excluded; searched for repairs: 2 atomic "
        "sites that its scenarios reach, in src/ordeal/coro/exhibits/flag.cpp, src/ordeal/coro/scenarios/harness.cpp");
}

TEST_CASE("a limit on the searches for repairs is said when it cuts") {
    ordeal::detail::audit_options options;
    options.most_searches = 1;
    const auto subject = audit_exhibit(
        {store, load}, [](const orders& at) { return publishes(at(store)) && ordeal::acquires(at(load)); }, options);
    CHECK(subject.repairs.empty());
    CHECK(subject.note.find("the limit on searches was reached") != std::string::npos);
    CHECK(subject.note.find("inconclusive") == std::string::npos);
}

TEST_CASE("a change under which a scenario is inconclusive or times out is no repair, and a bounded one says so") {
    const auto with = [](const ordeal::detail::search_result& repaired) {
        suite tests;
        auto& what = tests.add("relaxed_flag/payload", {{store, true}}, [repaired](const orders& at) {
            return publishes(at(store)) ? repaired : violation(violation_kind::data_race);
        });
        what.expected = ordeal::violated(violation_kind::data_race);
        return tests.audit().subjects.at(0);
    };
    CHECK(with(unclear("cannot")).repairs.empty());
    CHECK(with(unclear("cannot")).note.find("some changes were inconclusive") != std::string::npos);
    CHECK(with(violation(violation_kind::time_out)).repairs.empty());
    const auto bounded_repair = with(bounded("stale by one store"));
    REQUIRE(bounded_repair.repairs.size() == 1);
    CHECK(bounded_repair.repairs[0].limits == std::vector<ordeal::detail::limit>{"stale by one store"});
}

TEST_CASE("a repair must leave no scenario of the subject violated") {
    suite tests;
    for (const char* name : {"relaxed_flag/one", "relaxed_flag/two"}) {
        const bool first = std::string_view(name).ends_with("one");
        auto& what = tests.add(name, {{store, true}, {swap, true}}, [first](const orders& at) {
            return publishes(at(first ? store : swap)) ? all_held() : violation(violation_kind::data_race);
        });
        what.expected = ordeal::violated(violation_kind::data_race);
    }
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.repairs.size() == 1);
    CHECK(subject.repairs[0].changes.size() == 2);
}

TEST_CASE("a violated subject's orders are never said not to be required") {
    suite tests;
    const auto ready = make_site("src/ordeal/coro/exhibits/flag.cpp", 40, role::load, order::acquire);
    auto& broken = tests.add("relaxed_flag/broken", {{store, true}}, [](const orders& at) {
        return publishes(at(store)) ? all_held() : violation(violation_kind::data_race);
    });
    broken.expected = ordeal::violated(violation_kind::data_race);
    tests.add("relaxed_flag/fine", {{ready, true}}, [](const orders&) { return all_held(); });
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.sites.size() == 2);
    REQUIRE(subject.sites[1].weaker.size() == 1);
    CHECK(subject.sites[1].weaker[0].verdict == order_verdict::undecided);
    CHECK(subject.sites[1].weaker[0].note.find("the subject is violated as written") != std::string::npos);
}

TEST_CASE("a site that only a changed execution reaches can be part of a repair") {
    suite tests;
    auto& what = tests.add("relaxed_flag/payload", {}, [](const orders& at) {
        const bool further = publishes(at(store));
        auto result = further && ordeal::acquires(at(load)) ? all_held() : violation(violation_kind::data_race);
        result.sites = {{store, true}};
        if (further) result.sites.push_back({load, true});
        return result;
    });
    what.expected = ordeal::violated(violation_kind::data_race);
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.repairs.size() == 1);
    CHECK(subject.repairs[0].changes.size() == 2);
    REQUIRE(subject.sites.size() == 2);
    CHECK(subject.sites[1].verdict == site_verdict::too_weak);
}

TEST_CASE("a subject that only timed out is not searched for repairs") {
    suite tests;
    tests.add("relaxed_flag/payload", {{store, true}},
              [](const orders&) { return violation(violation_kind::time_out); });
    const auto subject = tests.audit().subjects.at(0);
    CHECK_FALSE(subject.as_expected);
    CHECK(subject.repairs.empty());
    CHECK(subject.note == "repairs not searched: the violation is not one that memory orders decide");
}

TEST_CASE("a change is not asked of a scenario that does not reach its site") {
    suite tests;
    auto& broken = tests.add("relaxed_flag/broken", {{store, true}}, [](const orders& at) {
        return publishes(at(store)) ? all_held() : violation(violation_kind::data_race);
    });
    broken.expected = ordeal::violated(violation_kind::data_race);
    tests.add("relaxed_flag/fine", {{load, true}}, [](const orders& at) {
        return publishes(at(store)) ? unclear("no execution reached the site of the override") : bounded("a limit");
    });
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.repairs.size() == 1);
    CHECK(subject.repairs[0].changes[0] == ordeal::order_override{store.key, order::release});
    CHECK(subject.repairs[0].limits == std::vector<ordeal::detail::limit>{"a limit"});
}

TEST_CASE("a repair can be two orders of one place") {
    suite tests;
    auto weak = store;
    weak.declared = order::release;
    auto& what = tests.add("relaxed_flag/payload", {{store, true}, {weak, true}}, [&](const orders& at) {
        return publishes(at(store)) && at(weak) == order::seq_cst ? all_held() : violation(violation_kind::data_race);
    });
    what.expected = ordeal::violated(violation_kind::data_race);
    const auto subject = tests.audit().subjects.at(0);
    REQUIRE(subject.repairs.size() == 1);
    CHECK(subject.repairs[0].changes.size() == 2);
    for (const auto& each : subject.repairs[0].changes) CHECK(each.declared.has_value());
    CHECK_THAT(subject.sites.at(0).note, Catch::Matchers::Contains("in place of"));
}

TEST_CASE("where fewer fences do what several orders do, they are repairs as well") {
    // A fake engine sees no fences: its scenarios are told the changes.
    class fenced : public fake_engine {
    public:
        [[nodiscard]] ordeal::detail::search_result search(const ordeal::scenario& what,
                                                           const ordeal::detail::search_options& how,
                                                           ordeal::detail::search_progress& progress) override {
            const bool mended = std::ranges::any_of(how.mutant.overrides, [](const ordeal::order_override& each) {
                return ordeal::adds_fence(each) && each.site == load.key && each.replacement == order::seq_cst;
            });
            auto result = fake_engine::search(what, how, progress);
            if (!mended) return result;
            result = all_held();
            result.sites = scenarios.at(what.name).sites;
            return result;
        }
    } engine;
    suite tests;
    auto& what = tests.add("relaxed_flag/payload", {}, [](const orders&) { return all_held(); });
    what.expected = ordeal::violated(violation_kind::data_race);
    engine.scenarios[what.name] = {{{store, true}, {load, true}}, [](const orders& at) {
                                       const bool fine = at(store) == order::seq_cst && at(load) == order::seq_cst;
                                       return fine ? all_held() : violation(violation_kind::data_race);
                                   }};
    const auto subject = tests.audit({}, engine).subjects.at(0);
    REQUIRE(subject.repairs.size() == 2);
    CHECK(subject.repairs[0].changes.size() == 1);
    CHECK(subject.repairs[0].changes[0].position == ordeal::override_position::before);
    CHECK(subject.repairs[0].changes[0].site == load.key);
    CHECK(subject.repairs[1].changes.size() == 2);
    for (const auto& each : subject.sites) CHECK(each.stronger == order::seq_cst);
}
