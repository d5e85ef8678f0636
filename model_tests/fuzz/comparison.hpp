// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_tests/fuzz/oracle.hpp"
#include "model_tests/fuzz/program.hpp"

#include "ordeal/engine/engine.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace ordeal::model_tests::fuzz {

using namespace detail;

struct comparison_options {
    oracle_options oracle{};
    double seconds = 60;  ///< for each search; protection only
    /// Changes what a search found: shows that a comparison would notice.
    std::function<void(std::string_view way, search_result& found)> tamper{};
};

/// What a comparison came to.
struct comparison {
    bool predicted = false;        ///< else the program is too large for the oracle
    bool finished = true;          ///< else a search took too long, which is a difference too
    std::set<std::string> limits;  ///< that some search named, which so may have found less
    std::string differences;       ///< a line each; empty: none
};

/// Searches the program in every way that it can be, and holds each against the oracle: an outcome or a violation that
/// is not possible is a difference, and so is one that every implementation must have and the search has not. The ways:
/// compiled with -O0 and -O2, by two processes, with all reductions, with none, with all but one and with that one
/// alone (which one depends on the program), by random executions, and over the policy where that has all that the
/// program uses.
[[nodiscard]] comparison compare(const program& what, const comparison_options& how = {});

/// The scenario with as many threads as a program has.
[[nodiscard]] scenario with_threads(scenario what, std::size_t count);

/// A smallest program that differs as this one does.
[[nodiscard]] program shrink_differing(const program& what, const comparison_options& how = {});

}  // namespace ordeal::model_tests::fuzz
