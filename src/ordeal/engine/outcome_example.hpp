// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ordeal::detail {

/// The simplest execution with a given outcome that a search has found.
struct outcome_example {
    std::uint64_t executions = 0;  ///< with this outcome
    std::uint64_t difficulty = 0;  ///< of this one: the less, the easier to read
    std::string path;              ///< its choices

    bool operator==(const outcome_example&) const = default;
};

/// By outcome; empty for a scenario without outcome().
using outcome_examples = std::map<std::string, outcome_example>;

/// Of more outcomes, the first by their text are kept.
inline constexpr std::size_t most_outcome_examples = 256;

/// Whether an outcome is kept beside `kept`. Once dropped, an outcome never returns, so the result does not depend on
/// the order of the search or its distribution.
[[nodiscard]] bool keeps(const outcome_examples& kept, const std::string& outcome);

/// Drops the last ones if there are too many.
void keep_most(outcome_examples& kept);

/// Merges the examples of another process of the search.
void merge_examples(const outcome_examples& more, outcome_examples& into);

}  // namespace ordeal::detail
