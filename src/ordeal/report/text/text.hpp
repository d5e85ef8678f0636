// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/stress_report.hpp"
#include "ordeal/report/text/style.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ordeal {

/// How much a text report shows.
struct text_options {
    text_style style;
    bool all_traces = false;           ///< of expected violations too
    bool all_steps = false;            ///< of a trace, also those that are no cause of its violation
    std::vector<acceptance> accept{};  ///< what `replay` must be given beside a token; of an audit, its own
};

/// What `replay` takes to show a violation that an audit found under changed orders; empty when it cannot.
using audit_token = std::function<std::string(const shown_violation&)>;

[[nodiscard]] std::string list_text(std::span<const scenario* const> shown, const text_style& style);
[[nodiscard]] std::string check_text(const check_report& report, const text_options& options);
[[nodiscard]] std::string replay_text(const replay_report& report, const text_options& options);
[[nodiscard]] std::string stress_text(const stress_report& report, const text_style& style);
[[nodiscard]] std::string audit_text(const audit_report& report, const text_options& options,
                                     const audit_token& token_of);

}  // namespace ordeal
