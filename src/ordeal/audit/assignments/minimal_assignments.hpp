// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ordeal::detail {

/// A memory order for each of some sites.
using assignment = std::vector<order>;

/// Whether each order of `less` equals that of `more` or is weaker.
[[nodiscard]] bool at_most(const assignment& less, const assignment& more);

/// The answer for an assignment.
enum class answer : std::uint8_t { holds, fails, unknown };

/// Answers each of the assignments; nothing: a stop, or no more questions are allowed.
///
/// The answers must be monotone, as the memory models are: an assignment weaker than a failing one fails, and one
/// stronger than one that holds does hold.
using ask_assignments = std::function<std::optional<std::vector<answer>>(std::span<const assignment>)>;

struct minimal_assignments {
    std::vector<assignment> found;  ///< in the order in which they were found
    bool complete = false;          ///< there are no others
    bool unknown = false;           ///< some answer was unknown: nothing was looked for below such an assignment
};

/// All minimal assignments that hold: none of their orders can be weakened. `allowed` has the orders that each site may
/// take, its weakest and its strongest included.
///
/// Each question is a maximal assignment of which nothing is known yet: one above no minimal assignment found so far.
/// If it fails, all below it fail; if it holds, a minimal one is found below it. So the number of questions is that of
/// the minimal and the maximal failing assignments, and some more for each minimal one (Gunopulos, Khardon, Mannila,
/// Toivonen, "Data mining, hypergraph transversals, and machine learning", PODS 1997).
[[nodiscard]] minimal_assignments find_minimal(std::span<const std::vector<order>> allowed, const ask_assignments& ask);

}  // namespace ordeal::detail
