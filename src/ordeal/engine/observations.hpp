// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// What a search keeps of the executions that it has seen: an example of each outcome, and the states of the atomics.
// What two processes of one search have kept can be merged.
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

/// A state of an atomic that executions reached.
struct seen_state {
    std::uint64_t times = 0;        ///< how often the atomic reached it or began with it, over all executions
    std::vector<site> observers{};  ///< operations of other threads that read this state and did not change it
};

/// An operation that took an atomic from one state to the next in coherence order.
struct state_transition {
    std::string from;
    std::string to;
    site by;
    std::uint64_t times = 0;  ///< over all executions
};

/// An atomic over all executions that a search counted: the states of its values, and the transitions between them
/// while the threads ran. A state is derived from the value alone: "0", "1" and so on; "this", the address of the
/// atomic, which is also that of the object whose first member it is; "pointer", any other address, "pointer+1" with
/// the lowest bit set; "pointer 2", the second distinct address.
struct atomic_states {
    std::uint64_t id = 0;  ///< assigned by the engine; the same in each execution of a search
    std::string name;      ///< "atomic 2"
    std::uint64_t executions = 0;
    std::map<std::string, seen_state> states;
    std::vector<state_transition> transitions;
    /// "0, pointer, this": the states of an execution in coherence order, and the number of such executions. Only the
    /// first `most_state_paths`, by their text, are kept.
    std::map<std::string, std::uint64_t> paths;
    bool too_many = false;  ///< more than `most_states`: the atomic holds a number; no states are kept
};

inline constexpr std::size_t most_states = 12;
inline constexpr std::size_t most_state_paths = 64;
inline constexpr std::size_t most_tracked_atomics = 64;  ///< the first by `id`

/// Merges the findings of another process of the search; both are sorted by id.
void merge_atomic_states(const std::vector<atomic_states>& more, std::vector<atomic_states>& into);

}  // namespace ordeal::detail
