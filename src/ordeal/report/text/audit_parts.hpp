// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the text of an audit share.
#pragma once

#include "ordeal/audit/fix.hpp"
#include "ordeal/report/facts.hpp"
#include "ordeal/report/report_format.hpp"
#include "ordeal/report/text/style.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// "exchange", or for one of the two sites of a compare-exchange "compare_exchange_weak (failure)".
[[nodiscard]] std::string operation_of(const site& where);

/// "task.hpp:44"; the full path stands below the table.
[[nodiscard]] std::string short_place(const site_key& key);

/// Whether no scenario runs the site; and whether there are so many of those that one line stands for all.
[[nodiscard]] bool never_runs(const audited_site& value) noexcept;
[[nodiscard]] bool folds_never_run(const audited_subject& subject);

/// Lines of at most report_width, each with so many blanks before it.
[[nodiscard]] std::string indented(std::string_view text, std::size_t by);

/// Verdicts on one order do not add up, and the word says so: "not required by itself".
[[nodiscard]] std::string_view words_of(order_verdict value) noexcept;

/// "dekker.cpp:20 store as seq_cst", "a seq_cst fence before dekker.cpp:22 load".
[[nodiscard]] std::string words_of(const order_override& change);

/// The changes of a repair, with commas.
[[nodiscard]] std::string words_of(const repair& value);

/// "cost: the same instructions on x86-64; aarch64 +2, riscv64 +10"; empty: not known.
[[nodiscard]] std::string cost_words(const repair& value);

/// Names with commas, the first few of many.
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

/// What is known of a site beyond its row: the author's reason for its order beside the evidence.
[[nodiscard]] std::string site_text(const audited_subject& subject, const audited_site& audited,
                                    const text_options& options, const audit_token& token_of, limit_notes& notes);

/// A violation under changed orders, below a heading, and how to see it again.
[[nodiscard]] std::string violation_text(const audited_subject& subject, const std::string& heading,
                                         const shown_violation& shown, const text_options& options,
                                         const std::string& token, limit_notes& notes);

/// Whether the orders as written are the one minimal assignment.
[[nodiscard]] bool is_minimal_as_written(const joint_table& table);

/// The minimal assignments of a subject: a table with a column for each.
[[nodiscard]] std::string joint_text(const audited_subject& subject, const text_options& options,
                                     const audit_token& token_of, limit_notes& notes);

/// The changes, what was searched with them, the diff and what was written; what `patch` is given may have this around
/// it.
[[nodiscard]] std::string fix_text(const source_fix& fix, const text_style& style);

}  // namespace ordeal::detail
