// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"

#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// One search with the changed order; `result` is null when it was not begun.
struct changed_search {
    const scenario* what = nullptr;
    const search_result* result = nullptr;
    const search_result* written = nullptr;  ///< of the same scenario, with no order changed
};

/// What is known about a site before its order is changed.
struct site_facts {
    bool crossed = false;           ///< as written, it meets another thread
    std::vector<limit> objections;  ///< why "not required" could not be said, whatever the searches say
    std::vector<limit> unseen;      ///< the same: limits of searches that may have left out how the site is reached
};

/// The verdict on one weaker order at `where`. `searches` are in the order in which they were to be begun; the first
/// violation among them is the one shown. Without any, nobody reaches the site.
[[nodiscard]] audited_order judge_order(const site& where, order tried, const site_facts& facts,
                                        std::span<const changed_search> searches);

/// The violation that a search found, without the changes under which it did.
[[nodiscard]] shown_violation violation_of(const scenario& what, const search_result& result);

/// Sets the verdict and the note of a site from its weaker orders. `exercised`: some scenario that is expected to hold
/// reaches it and there it meets another thread.
void judge_site(audited_site& value, bool exercised);

/// Sets the note of a site from the verdicts on its weaker orders.
void note_orders(audited_site& value, bool exercised);

/// Text without repetitions, in order of appearance: "a; b".
[[nodiscard]] std::string joined(std::span<const std::string> parts);

/// Appends what keeps this result from saying "held" exactly, each once; nothing if nothing does.
/// Load buffering that a change of orders lets in, by the letter of C++20 at least, or that is not explored beside it. It keeps the
/// change from being advice, though the search held (docs/explanation/load-buffering.md).
[[nodiscard]] std::vector<limit> load_buffering_let_in(const search_result& written, const search_result& changed);

void add_limits(std::vector<limit>& limits, const scenario& what, const search_result& result);

}  // namespace ordeal::detail
