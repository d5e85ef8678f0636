// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/text/style.hpp"

#include <string>

namespace ordeal {

/// Every outcome of a search, in how many executions it was met, and the simplest of those as what `replay` takes. Numbered as
/// `check --show` counts them.
[[nodiscard]] std::string outcome_text(const checked_scenario& checked, const text_style& style);

/// The example that `check --show` was asked for, as a trace.
[[nodiscard]] std::string example_text(const checked_scenario& checked, const text_style& style);

}  // namespace ordeal
