// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/evidence.hpp"

#include "latch.hpp"

using namespace audit_test;
using ordeal::order;
using ordeal::detail::evidence;

namespace {

const ordeal::scenario what;

ordeal::detail::search_result at_sites(ordeal::detail::search_result result, const std::vector<ordeal::site>& reached) {
    for (const auto& each : reached) result.sites.push_back({each, true});
    return result;
}

std::vector<ordeal::order_override> changes(order at_load, order at_swap) {
    return {{load.key, at_load, load.declared}, {swap.key, at_swap, swap.declared}};
}

}  // namespace

TEST_CASE("a violation follows for weaker orders, and holding for stronger ones") {
    evidence known;
    CHECK_FALSE(known.find(what, {}));
    known.add(what, changes(order::relaxed, order::acq_rel),
              at_sites(violation(ordeal::violation_kind::data_race), {load, swap}));
    known.add(what, {}, at_sites(all_held(), {load, swap}));

    const auto weaker = known.find(what, changes(order::relaxed, order::release));
    REQUIRE(weaker);
    CHECK(weaker->result->verdict == ordeal::detail::verdict::violated);
    CHECK_FALSE(weaker->exact);
    const auto stronger = known.find(what, changes(order::seq_cst, order::acq_rel));
    REQUIRE(stronger);
    CHECK(stronger->result->verdict == ordeal::detail::verdict::held);
    CHECK_FALSE(stronger->exact);
    CHECK(known.find(what, {})->exact);
    // Stronger here and weaker there: nothing follows.
    CHECK_FALSE(known.find(what, changes(order::relaxed, order::seq_cst)));
    CHECK_FALSE(known.find(what, changes(order::acquire, order::release)));
}

TEST_CASE("orders of sites that a search did not reach do not matter to it") {
    evidence known;
    known.add(what, changes(order::relaxed, order::acq_rel), at_sites(all_held(), {swap}));
    CHECK_FALSE(known.find(what, changes(order::relaxed, order::relaxed)));
    const auto found = known.find(what, changes(order::seq_cst, order::acq_rel));
    REQUIRE(found);
    CHECK(found->exact);
}

TEST_CASE("nothing follows from a search that decided nothing, but that it would not again") {
    evidence known;
    for (const auto& undecided : {unclear("too large"), violation(ordeal::violation_kind::time_out)}) {
        known.add(what, changes(order::acquire, order::acq_rel), at_sites(undecided, {load, swap}));
    }
    CHECK_FALSE(known.find(what, changes(order::seq_cst, order::acq_rel)));
    CHECK_FALSE(known.find(what, changes(order::relaxed, order::acq_rel)));
    CHECK(known.find(what, {})->exact);
}
