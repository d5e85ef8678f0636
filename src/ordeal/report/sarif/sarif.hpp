// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/text/text.hpp"

#include <string>

namespace ordeal {

/// SARIF 2.1.0, for programs that show findings beside the source. Every verdict other than the expected one is an error,
/// at the place of the violating step, with the trace as a code flow and the line that replays it.
[[nodiscard]] std::string check_sarif(const check_report& report);

/// The same of an audit: a scenario that is not as expected is an error, an order that is too weak a warning (a note in
/// an exhibit, which is there to be so), one that is stronger than needed a note; with the author's reason for it, the other
/// sites that have to change with it and the changes of the source as fixes.
[[nodiscard]] std::string audit_sarif(const audit_report& report, const audit_token& token_of);

}  // namespace ordeal
