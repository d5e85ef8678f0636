// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// One search with the changed order; `result` is null if it was not begun.
struct changed_search {
    const scenario* what = nullptr;
    const search_result* result = nullptr;
    const search_result* written = nullptr;  ///< of the same scenario with the orders as written
};

/// What is known about a site before its order is changed.
struct site_facts {
    bool crossed = false;           ///< another thread reads from it, or it reads from another thread, as written
    std::vector<limit> objections;  ///< why "not required" cannot be concluded, whatever the searches show
    std::vector<limit> unseen;      ///< the same: limits of searches that may have left out ways to reach the site
};

/// The verdict on one weaker order at `where`. `searches` are in the order in which they were to be begun; the first
/// violation among them is shown. If empty, no scenario reaches the site.
[[nodiscard]] audited_order judge_order(const site& where, order tried, const site_facts& facts,
                                        std::span<const changed_search> searches);

/// The violation that a search found, without the overrides that caused it.
[[nodiscard]] shown_violation violation_of(const scenario& what, const search_result& result);

/// Sets the verdict and the note of a site from its weaker orders. `exercised`: some scenario that is expected to hold
/// reaches it, and a value crosses threads there.
void judge_site(audited_site& value, bool exercised);

/// Sets the note of a site from the verdicts on its weaker orders.
void note_orders(audited_site& value, bool exercised);

/// The parts without repetitions, in order of appearance: "a; b".
[[nodiscard]] std::string joined(std::span<const std::string> parts);

/// The limits for load buffering that a change of orders permits, at least by the letter of C++20, or that is not
/// explored as well. With such a limit the change is no advice, though the search held
/// (docs/explanation/load-buffering.md).
[[nodiscard]] std::vector<limit> load_buffering_let_in(const search_result& written, const search_result& changed);
/// Whether executions that stronger orders would forbid are left out, so that holding says nothing of weaker ones: the
/// writes to atomics that are accessed in parts have one order.
[[nodiscard]] bool hides_what_orders_forbid(const search_result& result);

void add_limits(std::vector<limit>& limits, const scenario& what, const search_result& result);

}  // namespace ordeal::detail
