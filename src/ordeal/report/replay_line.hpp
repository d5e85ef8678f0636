// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <string>

namespace ordeal::detail {

/// The line to paste that shows a violation again; empty when there is none.
[[nodiscard]] std::string replay_line(const checked_scenario& checked);

}  // namespace ordeal::detail
