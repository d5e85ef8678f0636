// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace ordeal {

/// The simplest execution that a search has met among those with one outcome.
struct outcome_example {
    std::uint64_t executions = 0;  ///< that end with the outcome
    std::uint64_t difficulty = 0;  ///< of this one: the less, the easier to read
    std::string path;              ///< its choices

    bool operator==(const outcome_example&) const = default;
};

/// By outcome; the empty one is that of a scenario without outcome().
using outcome_examples = std::map<std::string, outcome_example>;

/// Of more outcomes, the first in the order of their text are kept.
inline constexpr std::size_t most_outcome_examples = 256;

/// Whether it is to be kept beside those. One that is not has been left out for good: the order of a search, and how it is
/// shared out, do not matter.
[[nodiscard]] bool keeps(const outcome_examples& kept, const std::string& outcome);

/// Drops the last where there are too many.
void keep_most(outcome_examples& kept);

/// Adds what another process of the search has met.
void merge_examples(const outcome_examples& more, outcome_examples& into);

}  // namespace ordeal
