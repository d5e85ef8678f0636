// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

/// The states of a kind of atomic and the transitions between them, over all executions of some searches. Atomics are
/// of one kind when one site has accessed them both, in any of the searches.
struct state_chart {
    std::string subject;                         ///< of the scenarios
    std::vector<std::string> files;              ///< of the sites
    std::set<std::string> scenarios;             ///< by name
    bool complete = true;                        ///< each of the searches explored every execution
    std::vector<std::string> states;             ///< in the order of rows and columns
    std::map<std::string, std::uint64_t> times;  ///< by state: how often it was come to
    std::map<std::string, std::vector<site>> observers;
    std::map<std::pair<std::string, std::string>, std::vector<state_transition>> transitions;  ///< by both states
    /// By the states that one atomic went through; in how many executions.
    std::map<std::string, std::uint64_t> paths;
    std::uint64_t told = 0;   ///< lives of an atomic, over all executions
    std::uint64_t other = 0;  ///< those of them with another path than the listed ones
};

/// The atomics of these searches that changed while threads ran. Those with too many states are left out. A file that
/// its sites share may name the states, in one comment that has "states: idle = 0 | queued = pointer | set = this":
/// what stands before the equals sign is the name, the word behind it is the state as atomic_states has it.
[[nodiscard]] std::vector<state_chart> state_charts(std::span<const checked_scenario> searches);

/// "state names" of a source file, by state; empty when it has none, or several.
[[nodiscard]] std::map<std::string, std::string> state_names(std::span<const std::string> lines);

}  // namespace ordeal::detail
