// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/report/check_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

// Each command prints its report and returns the program's exit code.
[[nodiscard]] exit_code run_list(const command_options& options);
[[nodiscard]] exit_code run_check(const command_options& options);
[[nodiscard]] exit_code run_clients(const command_options& options);
[[nodiscard]] exit_code run_merge(const command_options& options);
[[nodiscard]] exit_code run_audit_command(const command_options& options);
[[nodiscard]] exit_code run_replay(const command_options& options);
[[nodiscard]] exit_code run_new(const command_options& options);
[[nodiscard]] exit_code run_test(const command_options& options);
[[nodiscard]] exit_code run_try(const command_options& options);
[[nodiscard]] exit_code run_stress(const command_options& options);

/// Checks these, which the options chose.
[[nodiscard]] exit_code check_chosen(std::vector<const scenario*> chosen, const command_options& options);

/// A search and its result, as a report has it.
[[nodiscard]] checked_scenario checked(const search_job& job, const search_result& result);

/// Makes the searches, and compares the engines.
[[nodiscard]] check_report check_all(const std::vector<search_job>& work, const command_options& options);

/// Writes the reports of a check; returns what the program ends with.
[[nodiscard]] exit_code conclude(check_report report, const command_options& options);

/// What the one execution that a job replays comes to; nothing when it was stopped early.
[[nodiscard]] std::optional<search_result> replayed(const search_job& job, const command_options& options);

/// Runs the example of the outcome that `--show` asks for again, and puts it into `checked`. Returns why it cannot be
/// shown; empty when it can, or none was asked for.
[[nodiscard]] std::string show_example(const search_job& job, const command_options& options,
                                       checked_scenario& checked);

}  // namespace ordeal::detail
