// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/report_format.hpp"
#include "ordeal/report/state_chart.hpp"
#include "ordeal/report/text/style.hpp"

#include <string>

// Private to the text format: its reports.
namespace ordeal::detail {

[[nodiscard]] std::string check_text(const check_report& report, const text_options& options);
[[nodiscard]] std::string replay_text(const replay_report& report, const text_options& options);
[[nodiscard]] std::string stress_text(const stress_report& report, const text_style& style);
[[nodiscard]] std::string audit_text(const audit_report& report, const text_options& options,
                                     const audit_token& token_of);

/// Every outcome of a search, in how many executions it was met, and the simplest of those as what `replay` takes.
/// Numbered as `check --show` counts them.
[[nodiscard]] std::string outcome_text(const checked_scenario& checked, const text_style& style);

/// The example that `check --show` was asked for, as a trace.
[[nodiscard]] std::string example_text(const checked_scenario& checked, const text_style& style);

/// The sites that a search reached, and for each the sites whose writes another thread read there.
[[nodiscard]] std::string coverage_text(const checked_scenario& checked, const text_style& style);

/// Rows from, columns to; in the cells the sites that make the transition.
[[nodiscard]] std::string chart_text(const state_chart& chart, const text_style& style);

/// "set:115", the function and the line.
[[nodiscard]] std::string short_name(const site& of);

}  // namespace ordeal::detail
