// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/check_report.hpp"
#include "ordeal/report/stress_report.hpp"
#include "ordeal/report/text/text.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ordeal {

/// What a page says about the run that it reports, beside the report.
struct html_run {
    std::string program;                                     ///< what `replay` is to be started with
    std::vector<std::pair<std::string, std::string>> asked;  ///< options by name, as given or by default
};

/// Whether this program can write HTML: it was built with npm.
[[nodiscard]] bool has_html() noexcept;

// Each is one HTML file that needs no other file and no network. It holds the JSON report, traces of an audit too, and
// the source lines that the report refers to. Only where has_html().
[[nodiscard]] std::string check_html(const check_report& report, const html_run& run);
[[nodiscard]] std::string replay_html(const replay_report& report, const html_run& run);
[[nodiscard]] std::string stress_html(const stress_report& report, const html_run& run);
[[nodiscard]] std::string audit_html(const audit_report& report, const audit_token& token_of, const html_run& run);

}  // namespace ordeal
