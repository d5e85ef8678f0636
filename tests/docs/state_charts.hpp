// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

// The states of the production code's state words, and who changes them: reference-data/state-charts.md.
namespace ordeal::docs {

inline constexpr const char* state_charts_markdown = "reference-data/state-charts.md";

/// The file as it must be now.
[[nodiscard]] std::string state_charts_as_markdown();

}  // namespace ordeal::docs
