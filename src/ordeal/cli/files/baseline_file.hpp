// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/report/baseline_audit.hpp"
#include "ordeal/report/report_format.hpp"

#include <optional>
#include <vector>

namespace ordeal::detail {

/// The report of `--baseline`; nothing without that option. Throws a usage error when the file cannot be read, is no
/// such report, or cannot be compared with the audit that is asked for: made with another engine or model, or of a
/// subject of which the patterns leave scenarios out that the file has. Without a pattern the file says what is
/// audited: of `chosen` its subjects stay.
[[nodiscard]] std::optional<baseline_audit> baseline_of(const command_options& options, const engine& with,
                                                        std::vector<const scenario*>& chosen);

/// Compares a report with the file, and notes in the report what differs.
void compare_with_baseline(audit_report& report, const baseline_audit& was, const command_options& options,
                           const audit_token& token_of);

}  // namespace ordeal::detail
