// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/report/check_report.hpp"

#include <vector>

namespace ordeal::detail {

/// A search and its result, as a report has it.
[[nodiscard]] checked_scenario checked(const search_job& job, const search_result& result);

/// Makes the searches, and compares the engines.
[[nodiscard]] check_report check_all(const std::vector<search_job>& work, const command_options& options);

/// Writes the reports of a check; returns what the program ends with.
[[nodiscard]] exit_code conclude(check_report report, const command_options& options);

}  // namespace ordeal::detail
