// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/graph/loop_comparison.hpp"

#include "model_tests/graph/random_seed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Of fewer programs it does not matter how many hold.
constexpr std::uint64_t meaningful = 100;

// In this process: there are many searches.
search_result search_here(const scenario& what, const search_options& how) {
    search_progress progress;
    return find_engine("graph")->search(what, how, progress);
}

// A spurious failure that leads to another state may be one of a number without bound.
bool only_spurious(const search_result& result) {
    return std::ranges::all_of(result.limits, [](const limit& each) {
        return each.id == "spurious-failures" || each.id.starts_with("load-buffering");
    });
}

void require_outcomes_of_random_executions(const looping_program& what, search_options how, const outcome_set& all) {
    how.strategy.mode = search_mode::random;
    how.strategy.bound = 200;
    const search_result some = search_here(what.as_scenario(looking::in_loops), how);
    CAPTURE(some.message);
    REQUIRE(some.verdict != verdict::violated);
    for (const std::string& each : outcomes_of(some)) {
        CAPTURE(each);
        REQUIRE(all.contains(each));
    }
}

// Of a program that looks once, nothing depends on the looks that have failed, so it has more load buffering.
void compare(const looping_program& what, search_options how, loop_verdicts& sums) {
    INFO(what.text);
    how.model = memory_model::rc11;
    const search_result once = search_here(what.as_scenario(looking::once), how);
    REQUIRE(!once.kind);
    REQUIRE(once.complete);
    REQUIRE(only_spurious(once));
    const search_result loops = search_here(what.as_scenario(looking::in_loops), how);
    CAPTURE(once.executions, loops.executions, loops.blocked, loops.message, loops.limits);
    outcome_set expected = outcomes_of(once);
    const bool livelock = expected.erase("livelock") != 0;
    expected.erase("stopped");
    if (livelock) {
        REQUIRE(loops.kind == violation_kind::livelock);
        REQUIRE(loops.message == "a loop never ends: no thread writes the value that it waits for");
        ++sums.livelocks;
    } else {
        REQUIRE(!loops.kind);
        REQUIRE(only_spurious(loops));
        ++(leaves_out_of_rc11(loops) ? sums.within : sums.held);
        require_outcomes_of_random_executions(what, how, expected);
    }
    // An automatic search goes on for a while after it has found a violation, and that is enough here.
    constexpr std::uint64_t enough = 5'000;
    if (loops.executions + loops.blocked < enough) REQUIRE(outcomes_of(loops) == expected);
}

}  // namespace

loop_verdicts compare_in_loops_with_once(std::uint64_t usual, const search_options& how,
                                         const std::function<looping_program(std::uint64_t)>& make) {
    const std::uint64_t first = rc11::first_seed();
    loop_verdicts sums{.programs = rc11::from_environment("ORDEAL_PROGRAMS", usual)};
    for (std::uint64_t seed = first; seed < first + sums.programs; ++seed) {
        INFO(fmt::format("ORDEAL_SEED={} ORDEAL_PROGRAMS=1 makes this program alone", seed));
        compare(make(seed), how, sums);
    }
    CAPTURE(first, sums.programs, sums.held, sums.within, sums.livelocks);
    CHECK(sums.held + sums.within + sums.livelocks == sums.programs);
    if (sums.programs >= meaningful) CHECK(sums.held > sums.programs / 20);
    return sums;
}

void check_livelocks(const loop_verdicts& sums) {
    CAPTURE(sums.programs, sums.livelocks);
    if (sums.programs >= meaningful) CHECK(sums.livelocks > sums.programs / 20);
}

}  // namespace ordeal::model_tests
