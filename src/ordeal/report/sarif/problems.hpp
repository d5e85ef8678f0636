// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/text/text.hpp"

#include <string>

namespace ordeal {

/// The findings of SARIF as compilers write theirs, for editors and for problem matchers: `FILE:LINE:COLUMN: LEVEL: WORDS`, a
/// line each, where LEVEL is error, warning or note. What has no place in the source begins with `ordeal` instead. Empty when
/// nothing was found.
[[nodiscard]] std::string check_problems(const check_report& report);
[[nodiscard]] std::string audit_problems(const audit_report& report, const audit_token& token_of);

}  // namespace ordeal
