// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// What stands after the name of an engine: nothing, or ", sequential consistency".
[[nodiscard]] std::string memory_model_suffix(memory_model which);

/// The line to paste that runs the execution of a token again, with the program that prints it; empty for no token.
[[nodiscard]] std::string replay_line(std::string_view token, std::span<const acceptance> accepted);

/// The line to paste that shows a violation again; empty when there is none.
[[nodiscard]] std::string replay_line(const checked_scenario& checked);

}  // namespace ordeal::detail
