// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What a search was asked for and what it did, in numbers: the same in every format.
namespace ordeal::detail {

/// "auto", "full", "preemptions=2", "random=1000", "pct=1000,3": as --search takes it.
[[nodiscard]] std::string search_argument(const search_options& how);

/// Of a search that draws its executions; nothing for any other.
[[nodiscard]] std::optional<std::uint64_t> seed_of(const search_options& how);

/// "time budget of 20 s", "no time budget".
[[nodiscard]] std::string budget_words(const search_options& how);

/// Names and values: executions, blocked, complete, search, seed, time-budget, and each limit as "limit.ID".
using search_facts = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] search_facts facts_of(const search_result& result, const search_options& how);

/// Whether something other than a violation or a person ended it before its end: its time budget.
[[nodiscard]] bool was_cut_short(const search_result& result);

}  // namespace ordeal::detail
