// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/common_results.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/text/style.hpp"

#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// What `--strict` does not let pass: a site or an order that is undecided, vacuous or unexercised, a search that held
/// within limits or has no verdict, anything that was not searched to its end. By subject, in the order of the report.
[[nodiscard]] std::vector<shortfall> shortfalls_of(const audit_report& report);

/// The same of scenarios that were checked. A violation that was expected is none.
[[nodiscard]] std::vector<shortfall> shortfalls_of(const check_report& report);

/// The searches that their time budget, or a bound on the number of searches, cut short; of an audit those as written,
/// or a subject in which others were. `--require-complete` does not let them pass. A run that was stopped is no such
/// thing.
[[nodiscard]] std::vector<shortfall> cut_short_of(const check_report& report);
[[nodiscard]] std::vector<shortfall> cut_short_of(const audit_report& report);

/// "task: task.hpp:60 register_awaiter() store relaxed: unexercised".
[[nodiscard]] std::string words(const shortfall& value);

/// The lines that end a text report: how many there are, and each; or that there are none.
[[nodiscard]] std::string strict_text(std::span<const shortfall> values, const text_style& style);

/// The sentence for searches that were cut short, and whether that is a failure; empty when none was.
[[nodiscard]] std::string cut_short_words(std::span<const shortfall> cut, const search_options& how, bool required);

}  // namespace ordeal::detail
