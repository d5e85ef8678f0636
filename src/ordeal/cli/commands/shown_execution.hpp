// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/engine/process/isolation.hpp"
#include "ordeal/report/check_report.hpp"

#include <optional>
#include <string>

namespace ordeal::detail {

/// What the one execution that a job replays comes to; nothing when it was stopped early.
[[nodiscard]] std::optional<search_result> replayed(const search_job& job, const command_options& options);

/// Runs the example of the outcome that `--show` asks for again, and puts it into `checked`. Returns why it cannot be
/// shown; empty when it can, or none was asked for.
[[nodiscard]] std::string show_example(const search_job& job, const command_options& options,
                                       checked_scenario& checked);

}  // namespace ordeal::detail
