// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/report/text/style.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What every format says of a search in the same way: what it was asked for, what it did, in numbers, and its limits.
namespace ordeal::detail {

/// "auto", "full", "preemptions=2", "random=1000", "pct=1000,3": as --search takes it.
[[nodiscard]] std::string search_argument(const search_options& how);

/// Of a search that draws its executions; nothing for any other.
[[nodiscard]] std::optional<std::uint64_t> seed_of(const search_options& how);

/// "time budget of 20 s", "no time budget".
[[nodiscard]] std::string budget_words(const search_options& how);

/// Names and values: executions, blocked, complete, search, seed, time-budget, and each limit as "limit.ID".
using named_values = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] named_values facts_of(const search_result& result, const search_options& how);

/// Whether something other than a violation or a person ended it before its end: its time budget.
[[nodiscard]] bool was_cut_short(const search_result& result);

// How reports show limits. What JSON has of them is json_of() in json_parts.hpp, from the same source.

/// Limits, each told once below a table and named by a number in it.
class limit_notes {
public:
    /// "[1][3]"; empty for no limits.
    [[nodiscard]] std::string marks(const std::vector<limit>& limits);

    /// The heading and a line for each; empty for none.
    [[nodiscard]] std::string text(std::string_view heading = "Limits:") const;

private:
    std::vector<std::string> seen_;
};

/// A line for each.
[[nodiscard]] std::string limit_lines(const std::vector<limit>& limits);

/// What was not checked though it belongs to the code on trial, each once; then an empty line. Empty for none.
[[nodiscard]] std::string unchecked_lines(const std::vector<limit>& limits, const text_style& style);

/// ". Limit: ..." for each, to go on from a sentence.
[[nodiscard]] std::string limit_clauses(const std::vector<limit>& limits);

}  // namespace ordeal::detail
