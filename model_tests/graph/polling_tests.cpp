// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with loops that poll several atomics. As in await_tests.cpp they are compared with the same programs
// where each loop makes one iteration and its thread stops when that does not end it; where every loop ends by
// construction the verdict must say so. ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and
// more of them.
#include "model_tests/graph/loop_comparison.hpp"
#include "model_tests/graph/polling_program.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <class Make>
loop_verdicts compare_programs(Make make) {
    search_options how;
    how.bounds.spurious =
        polling::most_instructions * polling::locations;  // no more of them in an iteration of each loop
    return compare_in_loops_with_once(300, how, [&](std::uint64_t seed) {
        const polling::program what = make(seed);
        return looping_program{polling::to_string(what), [what](looking at) { return polling::as_scenario(what, at); }};
    });
}

}  // namespace

TEST_CASE("Loops that poll several atomics have the outcomes of their last iteration alone: two threads") {
    check_livelocks(compare_programs([](std::uint64_t seed) { return polling::any_program(seed, 2, 3); }));
}

TEST_CASE("Loops that poll several atomics have the outcomes of their last iteration alone: three threads") {
    check_livelocks(compare_programs([](std::uint64_t seed) { return polling::any_program(seed, 3, 2); }));
}

TEST_CASE("Loops that poll several atomics and end whatever happens are no livelock") {
    CHECK(compare_programs([](std::uint64_t seed) { return polling::right_program(seed, 3); }).livelocks == 0);
}

TEST_CASE("Threads that take free slots of an array, one for each, are no livelock") {
    CHECK(compare_programs([](std::uint64_t seed) { return polling::right_slots(seed, 3); }).livelocks == 0);
}

}  // namespace ordeal::model_tests
