// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exhibits in which what one order may be depends on the others: which of them together hold, and which fences do what orders
// would.
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view graph = "graph";

// In the order of the source.
std::vector<site_key> sites_in(const scenario& what, std::string_view function) {
    std::vector<site_key> result;
    for (const reached_site& each : search(what, {}, graph).sites) {
        if (each.where.function == function) result.push_back(each.where.key);
    }
    std::ranges::sort(result);
    return result;
}

order_override fence(const site_key& at, override_position where) { return {at, order::seq_cst, std::nullopt, where}; }

search_result search_with(const scenario& what, std::vector<order_override> overrides) {
    search_options how = full_search();
    how.mutant.overrides = std::move(overrides);
    return search(what, how, graph);
}

}  // namespace

TEST_CASE("Of two flags one pair of orders is enough, and which of them does not matter") {
    const scenario& what = registered("exhibit/two_flags/both_seen");
    const auto stores = sites_in(what, "write");
    const auto loads = sites_in(what, "both");
    REQUIRE(stores.size() == 2);
    REQUIRE(loads.size() == 2);
    const std::array all{stores[0], stores[1], loads[0], loads[1]};
    for (unsigned relaxed = 0; relaxed < 16; ++relaxed) {
        std::vector<order_override> changes;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if ((relaxed >> i & 1U) != 0) changes.push_back({all[i], order::relaxed});
        }
        CAPTURE(relaxed);
        const bool first_pair = (relaxed & 0b0101U) == 0;
        const bool second_pair = (relaxed & 0b1010U) == 0;
        const search_result result = search_with(what, changes);
        if (first_pair || second_pair) {
            CHECK(result.verdict == verdict::held);
        } else {
            CHECK(result.kind == violation_kind::data_race);
        }
    }
}

TEST_CASE("Four seq_cst accesses repair Dekker's entry, or two fences, and nothing less does") {
    const scenario& what = registered("exhibit/four_site_dekker/excludes");
    const auto left = sites_in(what, "left_enters");
    const auto right = sites_in(what, "right_enters");
    REQUIRE(left.size() == 2);
    REQUIRE(right.size() == 2);
    std::vector<order_override> all;
    for (const site_key& each : {left[0], left[1], right[0], right[1]}) all.push_back({each, order::seq_cst});
    CHECK(search_with(what, all).verdict == verdict::held);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<order_override> three = all;
        three.erase(three.begin() + static_cast<std::ptrdiff_t>(i));
        CAPTURE(i);
        CHECK(search_with(what, three).kind == violation_kind::failed_requirement);
    }
    const auto in_left = fence(left[0], override_position::after);
    const auto in_right = fence(right[1], override_position::before);
    CHECK(search_with(what, {in_left, in_right}).verdict == verdict::held);
    CHECK(search_with(what, {in_left}).kind == violation_kind::failed_requirement);
    CHECK(search_with(what, {in_right}).kind == violation_kind::failed_requirement);
    // One of the threads may have its fence, and the other its orders.
    CHECK(search_with(what, {in_left, all[2], all[3]}).verdict == verdict::held);
}

TEST_CASE("The fence that take() lacks repairs it, wherever it stands between the two accesses") {
    const scenario& what = registered("exhibit/bug_take_without_fence/two_elements");
    const auto sites = sites_in(what, "take");
    REQUIRE(sites.size() >= 3);
    REQUIRE(sites[1].what == role::store);  // of bottom
    REQUIRE(sites[2].what == role::load);   // of top
    CHECK(search_with(what, {fence(sites[1], override_position::after)}).verdict == verdict::held);
    CHECK(search_with(what, {fence(sites[2], override_position::before)}).verdict == verdict::held);
    CHECK(search_with(what, {fence(sites[1], override_position::before)}).kind == violation_kind::failed_requirement);
    CHECK(search_with(what, {fence(sites[2], override_position::after)}).kind == violation_kind::failed_requirement);
}

}  // namespace ordeal::model_tests
