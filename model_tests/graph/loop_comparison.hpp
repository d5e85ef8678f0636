// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/graph/graph_search.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

/// Whether each loop of a program goes round until it ends, or makes one iteration, after which its thread stops unless
/// that ended it.
enum class looking : std::uint8_t { in_loops, once };

/// A program with loops that wait; its outcomes are those of loop_outcome.hpp.
struct looping_program {
    std::string text;
    std::function<scenario(looking)> as_scenario;
};

/// How many programs came to what.
struct loop_verdicts {
    std::uint64_t programs = 0;
    std::uint64_t held = 0;
    std::uint64_t within = 0;  ///< a bound of spurious failures
    std::uint64_t livelocks = 0;
};

/// Makes a program of each seed, `usual` ones if ORDEAL_PROGRAMS does not say how many, and compares it in loops with
/// once: the outcomes are the same but for threads that stopped, and it is a livelock where some have that nothing
/// would end. Where there is none, random executions have no other outcomes either.
[[nodiscard]] loop_verdicts compare_in_loops_with_once(std::uint64_t usual, const search_options& how,
                                                       const std::function<looping_program(std::uint64_t)>& make);

/// There are some among them, unless a few programs were asked for.
void check_livelocks(const loop_verdicts& sums);

}  // namespace ordeal::model_tests
