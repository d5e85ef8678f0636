// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/check_report.hpp"

#include <string>

namespace ordeal {

/// The report of an audit as Markdown, for the summary of a CI job or to be kept beside the code: verdicts, sites, minimal
/// assignments and repairs, without counts, times and tokens, so that it changes only when what it says does.
[[nodiscard]] std::string audit_markdown(const audit_report& report);

/// The report of a check as Markdown, for the summary of a CI job: a table, and for what did not simply hold the conclusion, the
/// trace, folded, the line that replays it, and the limits.
[[nodiscard]] std::string check_markdown(const check_report& report);

}  // namespace ordeal
