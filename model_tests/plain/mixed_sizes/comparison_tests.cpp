// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine against an enumerator of all executions, on random programs whose atomics are accessed in parts.
// ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/plain/mixed_sizes/enumerator.hpp"
#include "model_tests/plain/mixed_sizes/program.hpp"
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace ordeal::model_tests::mixed_sizes {

using namespace detail;

namespace {

constexpr std::array<std::string_view, 2> sizes{"8", "16"};

std::uint64_t programs() { return rc11::from_environment("ORDEAL_PROGRAMS", 32); }

std::set<std::string> explored(const program& what, std::string_view bytes, memory_model model) {
    set_current_program(what);
    scenario machine = registered("mixed_sizes/" + std::string(bytes) + "_bytes");
    machine.threads.resize(what.size);
    search_options how = full_search();
    how.model = model;
    const search_result result = search(machine, how, "graph");
    CAPTURE(result.message);
    CHECK((result.verdict == verdict::held || result.verdict == verdict::held_within));
    CHECK(result.complete);
    std::set<std::string> outcomes;
    for (const auto& [outcome, executions] : result.outcomes) outcomes.insert(outcome);
    return outcomes;
}

void check_same(const program& what, memory_model model, const std::set<std::string>& expected) {
    for (const std::string_view bytes : sizes) {
        CAPTURE(bytes);
        CHECK(explored(what, bytes, model) == expected);
    }
}

template <class Check>
void with_program(std::uint64_t seed, orders which, Check check) {
    const program what = random_program(seed, which);
    INFO("ORDEAL_SEED=" << seed << " ORDEAL_PROGRAMS=1:\n" << to_string(what));
    check(what);
}
template <class Check>
void for_each_program(orders which, Check check) {
    for (std::uint64_t i = 0; i < programs(); ++i) with_program(rc11::first_seed() + i, which, check);
}

}  // namespace

TEST_CASE("Random programs over parts of an atomic have the outcomes that an enumeration of all executions has") {
    for (const orders which : {orders::relaxed, orders::acquire_release}) {
        for_each_program(which, [](const program& what) { check_same(what, memory_model::rc11, executions(what)); });
    }
}

// A rule is seen in few programs.
TEST_CASE("Programs in which a wrong rule for parts of an atomic would show have the outcomes of the right one") {
    for (const broken rule : {broken::acquires_all_halves, broken::stores_to_halves_continue,
                              broken::halves_are_coherent_together, broken::halves_are_not_coherent}) {
        std::uint64_t found = 0;
        for (std::uint64_t seed = rc11::first_seed(); found * 4 < programs(); ++seed) {
            with_program(seed, orders::acquire_release, [&](const program& what) {
                const std::set<std::string> right = executions(what);
                if (executions(what, rule) == right) return;
                CAPTURE(rule);
                ++found;
                check_same(what, memory_model::rc11, right);
            });
        }
    }
}

TEST_CASE("Random programs over parts of an atomic that are all seq_cst have the outcomes of interleavings") {
    for_each_program(orders::seq_cst,
                     [](const program& what) { check_same(what, memory_model::rc11, interleavings(what)); });
}

TEST_CASE("Random programs over parts of an atomic have the outcomes of interleavings under sequential consistency") {
    for_each_program(orders::acquire_release,
                     [](const program& what) { check_same(what, memory_model::sc, interleavings(what)); });
}

}  // namespace ordeal::model_tests::mixed_sizes
