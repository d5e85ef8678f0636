// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <span>
#include <string>

namespace ordeal::detail {

/// What stands after the name of an engine: nothing, or ", sequential consistency".
[[nodiscard]] std::string beside_engine(memory_model which);

/// The line to paste that shows a violation again; empty when there is none.
[[nodiscard]] std::string replay_line(const checked_scenario& checked);

/// " --accept 'KIND@FILE:LINE'" for each.
[[nodiscard]] std::string accept_options(std::span<const acceptance> accepted);

}  // namespace ordeal::detail
