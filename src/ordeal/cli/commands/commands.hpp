// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"

namespace ordeal::detail {

// Each command prints its report and returns the program's exit code.
[[nodiscard]] exit_code run_list(const command_options& options);
[[nodiscard]] exit_code run_check(const command_options& options);
[[nodiscard]] exit_code run_merge(const command_options& options);
[[nodiscard]] exit_code run_audit_command(const command_options& options);
[[nodiscard]] exit_code run_replay(const command_options& options);
[[nodiscard]] exit_code run_new(const command_options& options);
[[nodiscard]] exit_code run_stress(const command_options& options);

}  // namespace ordeal::detail
