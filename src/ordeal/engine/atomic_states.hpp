// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ordeal::detail {

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
