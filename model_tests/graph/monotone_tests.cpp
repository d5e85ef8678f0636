// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the audit rests on when it spares a search: a stronger order allows no outcome that the weaker one forbids. Held to the
// axioms by brute force, not to the engine.
#include "model_tests/graph/generator.hpp"
#include "model_tests/graph/oracle.hpp"
#include "model_tests/graph/random_seed.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::model_tests::rc11 {

namespace {

// Nothing: it has no order.
std::optional<role> role_of(const instruction& what) {
    switch (what.what) {
        case operation::load: return role::load;
        case operation::store: return role::store;
        case operation::exchange: return role::exchange;
        case operation::fetch_add: return role::fetch;
        case operation::compare_exchange: return role::success;
        case operation::fence: return role::fence;
        default: break;
    }
    return std::nullopt;
}

// The program with one order of this instruction stronger, in each way.
std::vector<program> strengthened(const program& what, std::size_t thread, std::size_t index) {
    const instruction& old = what.threads[thread][index];
    std::vector<program> result;
    const std::optional<role> what_it_does = role_of(old);
    if (!what_it_does) return result;
    for (const order each : stronger_orders(*what_it_does, old.using_order)) {
        result.push_back(what);
        result.back().threads[thread][index].using_order = each;
    }
    if (old.what != operation::compare_exchange) return result;
    for (const order each : stronger_orders(role::failure, old.failure)) {
        result.push_back(what);
        result.back().threads[thread][index].failure = each;
    }
    return result;
}

// The first outcome that only the second has; empty: none.
std::string new_outcome(const census& before, const census& after) {
    for (const auto& [outcome, count] : after.outcomes) {
        if (!before.outcomes.contains(outcome)) return outcome;
    }
    return {};
}

const census_options how{.prune = true, .limit = 20'000};

std::size_t check_all_strengthenings(const program& what) {
    const std::optional<census> before = count_executions(what, how);
    if (!before) return 0;
    std::size_t made = 0;
    for (std::size_t thread = 0; thread != what.threads.size(); ++thread) {
        for (std::size_t index = 0; index != what.threads[thread].size(); ++index) {
            for (const program& stronger : strengthened(what, thread, index)) {
                const std::optional<census> after = count_executions(stronger, how);
                INFO(to_string(what) << "\nwith a stronger order:\n" << to_string(stronger));
                REQUIRE(after);  // no larger
                CHECK(new_outcome(*before, *after).empty());
                CHECK(after->executions <= before->executions);
                ++made;
            }
        }
    }
    return made;
}

}  // namespace

TEST_CASE("A stronger order allows no outcome that a weaker one forbids") {
    const std::uint64_t seed = first_seed();
    INFO("ORDEAL_SEED=" << seed);
    std::size_t made = 0;
    for (std::uint64_t i = 0; i != 60; ++i) {
        const program_shape shape{.threads = 2 + i % 2, .instructions = 3};
        made += check_all_strengthenings(random_program(shape, seed + i));
    }
    CHECK(made > 100);
}

TEST_CASE("A weaker order can allow more: the comparison of outcomes sees it") {
    const program strong{{{store(0, 1, order::seq_cst), load(1, order::seq_cst)},
                          {store(1, 1, order::seq_cst), load(0, order::seq_cst)}}};
    program weak = strong;
    weak.threads[0][0].using_order = order::relaxed;
    const auto before = count_executions(strong, how);
    const auto after = count_executions(weak, how);
    REQUIRE(before);
    REQUIRE(after);
    CHECK_FALSE(new_outcome(*before, *after).empty());
}

}  // namespace ordeal::model_tests::rc11
