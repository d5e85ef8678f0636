// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/assignments/minimal_assignments.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <vector>

using ordeal::order;
using namespace ordeal::detail;

namespace {

const std::vector<order> of_load{order::relaxed, order::acquire, order::seq_cst};
const std::vector<order> of_exchange{order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst};

using sites = std::vector<std::vector<order>>;

std::vector<assignment> every_assignment(const sites& allowed) {
    std::vector<assignment> result{{}};
    for (const auto& orders : allowed) {
        std::vector<assignment> longer;
        for (const assignment& each : result) {
            for (const order one : orders) {
                longer.push_back(each);
                longer.back().push_back(one);
            }
        }
        result = std::move(longer);
    }
    return result;
}

// Code that holds where it has at least the orders of one of these.
struct code {
    std::vector<assignment> needs;
    std::size_t asked = 0;

    [[nodiscard]] bool holds(const assignment& what) const {
        return std::ranges::any_of(needs, [&](const assignment& each) { return at_most(each, what); });
    }
    ask_assignments asker() {
        return [this](auto assignments) -> std::optional<std::vector<answer>> {
            std::vector<answer> result;
            for (const assignment& each : assignments) {
                ++asked;
                result.push_back(holds(each) ? answer::holds : answer::fails);
            }
            return result;
        };
    }
};

// The definition, by going through all assignments.
std::set<assignment> minimal_by_definition(const sites& allowed, const code& with) {
    std::vector<assignment> holding;
    for (assignment& each : every_assignment(allowed)) {
        if (with.holds(each)) holding.push_back(std::move(each));
    }
    std::set<assignment> result;
    for (const assignment& each : holding) {
        const bool minimal = std::ranges::none_of(
            holding, [&](const assignment& other) { return other != each && at_most(other, each); });
        if (minimal) result.insert(each);
    }
    return result;
}

std::set<assignment> as_set(const std::vector<assignment>& list) { return {list.begin(), list.end()}; }

}  // namespace

TEST_CASE("either of two flags publishes: both ways are found, and nothing else") {
    const sites allowed(4, of_load);
    code flags{{{order::acquire, order::acquire, order::relaxed, order::relaxed},
                {order::relaxed, order::relaxed, order::acquire, order::acquire}}};
    const auto found = find_minimal(allowed, flags.asker());
    CHECK(found.complete);
    CHECK(as_set(found.found) == as_set(flags.needs));
    CHECK(flags.asked < 40);  // of 81
}

TEST_CASE("acquire and release at one site are two ways, and acq_rel is above both") {
    code either{{{order::acquire}, {order::release}}};
    CHECK(as_set(find_minimal(sites{of_exchange}, either.asker()).found) == as_set(either.needs));
    code both{{{order::acq_rel}}};
    CHECK(as_set(find_minimal(sites{of_exchange}, both.asker()).found) == as_set(both.needs));
}

TEST_CASE("what no assignment repairs is known after one question") {
    code broken;
    const auto found = find_minimal(sites(5, of_exchange), broken.asker());
    CHECK(found.complete);
    CHECK(found.found.empty());
    CHECK(broken.asked == 1);
}

TEST_CASE("random code: the minimal assignments are those of the definition") {
    const auto seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    for (int round = 0; round != 60; ++round) {
        sites allowed;
        for (int i = 0; i != 4; ++i) allowed.push_back(random() % 2 == 0 ? of_load : of_exchange);
        code with;
        for (auto ways = random() % 5; ways > 0; --ways) {
            assignment need;
            for (const auto& orders : allowed) need.push_back(orders[random() % orders.size()]);
            with.needs.push_back(std::move(need));
        }
        const auto found = find_minimal(allowed, with.asker());
        CHECK(found.complete);
        CHECK(found.found.size() == as_set(found.found).size());
        CHECK(as_set(found.found) == minimal_by_definition(allowed, with));
    }
}

TEST_CASE("what was not decided leaves the list open, and what was found stays") {
    code flags{{{order::acquire, order::relaxed}, {order::relaxed, order::acquire}}};
    const auto ask = flags.asker();
    const auto found = find_minimal(sites(2, of_load), [&](auto assignments) {
        auto answers = ask(assignments);
        for (std::size_t i = 0; i != assignments.size(); ++i) {
            if (assignments[i][0] == order::relaxed) (*answers)[i] = answer::unknown;
        }
        return answers;
    });
    CHECK_FALSE(found.complete);
    CHECK(found.unknown);
    CHECK(found.found == std::vector<assignment>{{order::acquire, order::relaxed}});
}

TEST_CASE("a search that is stopped keeps what it found") {
    code flags{{{order::acquire, order::relaxed}, {order::relaxed, order::acquire}}};
    const auto ask = flags.asker();
    std::vector<assignment> seen;
    const auto found = find_minimal(sites(2, of_load), [&](auto assignments) -> std::optional<std::vector<answer>> {
        if (flags.asked >= 4) return std::nullopt;
        return ask(assignments);
    });
    CHECK_FALSE(found.complete);
    CHECK_FALSE(found.unknown);
    CHECK(found.found.size() == 1);
}
