// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/order.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace ordeal::detail {

/// A memory order for each of some sites.
using assignment = std::vector<order>;

/// Whether each order of `less` is that of `more`, or weaker.
[[nodiscard]] bool at_most(const assignment& less, const assignment& more);

/// What is known of an assignment once it was asked for.
enum class answer : std::uint8_t { holds, fails, unknown };

/// Answers each of the assignments; nothing: asked to stop, or no more may be asked.
///
/// The answers must be monotone, as the memory models are: what is weaker than a failing assignment fails, what is stronger
/// than one that holds does.
using ask_assignments = std::function<std::optional<std::vector<answer>>(std::span<const assignment>)>;

struct minimal_assignments {
    std::vector<assignment> found;  ///< in the order in which they were found
    bool complete = false;          ///< these are all
    bool unknown = false;           ///< some answer was unknown: below such an assignment nothing was looked for
};

/// All minimal assignments that hold: none of their orders can be made weaker. `allowed` has the orders that each site may take,
/// the weakest and the strongest among them.
///
/// Each question is a maximal assignment of which nothing is known yet: one that is above no minimal assignment found so far.
/// If it fails, so does all below it; if it holds, a minimal one is looked for below it, and there is one more. So the questions
/// are as many as there are minimal and maximal failing assignments, and some more for each minimal one (Gunopulos, Khardon,
/// Mannila, Toivonen, "Data mining, hypergraph transversals, and machine learning", PODS 1997).
[[nodiscard]] minimal_assignments find_minimal(std::span<const std::vector<order>> allowed, const ask_assignments& ask);

}  // namespace ordeal::detail
