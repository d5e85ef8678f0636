// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/json/json_parts.hpp"
#include "ordeal/report/state_chart.hpp"

namespace ordeal::detail {

/// Sites, and who read from whom.
[[nodiscard]] ordered_json coverage_json(const search_result& result);
[[nodiscard]] ordered_json chart_json(const state_chart& chart);

}  // namespace ordeal::detail
