// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <string>

namespace ordeal {

/// The report as JUnit XML, for programs that show test results. A test case is one scenario under one engine: a verdict
/// other than the expected one is a failure, or an error when it is inconclusive. Scenarios that were not begun, and a
/// run of nothing, are errors too.
[[nodiscard]] std::string check_junit(const check_report& report);

}  // namespace ordeal
