// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/report_format.hpp"

#include <string>

// Private to the text format: its reports.
namespace ordeal::detail {

[[nodiscard]] std::string check_text(const check_report& report, const text_options& options);
[[nodiscard]] std::string replay_text(const replay_report& report, const text_options& options);
[[nodiscard]] std::string stress_text(const stress_report& report, const text_style& style);
[[nodiscard]] std::string audit_text(const audit_report& report, const text_options& options,
                                     const audit_token& token_of);

}  // namespace ordeal::detail
