// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/report/check_report.hpp"

#include <string>

namespace ordeal {

/// The report as JUnit XML, for programs that show test results. A test case is one scenario under one engine: a verdict
/// other than the expected one is a failure, or an error when it is inconclusive. Scenarios that were not begun, and a
/// run of nothing, are errors too.
[[nodiscard]] std::string check_junit(const check_report& report);

/// The same of an audit. A test case is a scenario as written, where a verdict other than the expected one is a failure, and each
/// site, which is skipped where it is undecided or unexercised. After a comparison with an earlier report a test case is a subject:
/// its differences are the failure, and a verdict that is known from there is none. So is what a strict reader does not let pass.
[[nodiscard]] std::string audit_junit(const audit_report& report);

}  // namespace ordeal
