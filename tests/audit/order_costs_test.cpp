// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/phases.hpp"

#include "latch.hpp"

#include "ordeal/audit/cost/instruction_cost.hpp"

#include <algorithm>
#include <vector>

using namespace audit_test;
using ordeal::order;
using ordeal::role;
using ordeal::site;
using ordeal::detail::costs_of;
using ordeal::detail::target;

namespace {

site named(site where, const char* operation) {
    where.operation = operation;
    return where;
}

const site plain_load = named(load, "load");
const site strong_store = named(make_site("src/latch.hpp", 30, role::store, order::seq_cst), "store");
const site success = named(make_site("src/latch.hpp", 40, role::success, order::acq_rel), "compare_exchange_strong");
const site failure = named(make_site("src/latch.hpp", 40, role::failure, order::acquire), "compare_exchange_strong");

ordeal::detail::target_cost on_x86(const std::vector<site>& sites, const std::vector<order>& orders) {
    const auto costs = costs_of(sites, orders, {});
    REQUIRE(costs.size() == ordeal::detail::targets().size());
    const auto found = std::ranges::find(costs, target::x86_64, &ordeal::detail::target_cost::on);
    REQUIRE(found != costs.end());
    return *found;
}

}  // namespace

TEST_CASE("the cost of an assignment is the sum over its operations, and the same instructions are told apart") {
    const auto written = on_x86({plain_load, strong_store}, {order::acquire, order::seq_cst});
    const auto released = on_x86({plain_load, strong_store}, {order::acquire, order::release});
    const auto relaxed = on_x86({plain_load, strong_store}, {order::relaxed, order::relaxed});
    CHECK(written.instructions.size() == 2);
    CHECK(released.cost < written.cost);
    CHECK(released == relaxed);
    CHECK(on_x86({plain_load}, {order::acquire}).cost + on_x86({strong_store}, {order::release}).cost == released.cost);
}

TEST_CASE("the two sites of a compare-exchange are one operation, with both orders") {
    const auto both = costs_of(std::vector{success, failure}, std::vector{order::relaxed, order::acquire}, {});
    std::vector<ordeal::detail::audited_site> all(2);
    all[0].where = success;
    all[1].where = failure;
    const auto alone = costs_of(std::vector{success}, std::vector{order::relaxed}, all);
    CHECK(both == alone);  // the failure as declared
    for (const auto& each : both) CHECK(each.instructions.size() == 1);
    const auto weaker = costs_of(std::vector{success, failure}, std::vector{order::relaxed, order::relaxed}, {});
    CHECK(std::ranges::any_of(both, [&](const ordeal::detail::target_cost& each) {
        return std::ranges::find(weaker, each) == weaker.end();
    }));
}

TEST_CASE("of assignments that only weaken, the cheapest is listed first") {
    suite tests;
    // Either the store may be relaxed or the load; the store saves more.
    tests.add("latch/either", {{plain_load, true}, {strong_store, true}}, [](const orders& at) {
        const bool fine = at(strong_store) == order::seq_cst || ordeal::acquires(at(plain_load));
        return fine ? all_held() : violation(ordeal::violation_kind::data_race);
    });
    const auto table = tests.audit().subjects.at(0).joint.at(0);
    REQUIRE(table.minimal.size() == 2);
    CHECK(table.minimal[0].orders == std::vector{order::acquire, order::relaxed});
    for (const auto& each : table.minimal) CHECK(each.costs.size() == ordeal::detail::targets().size());
}
