// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/report/style.hpp"

#include <string>

namespace ordeal {

/// The trace of an execution for people to read: a column for each thread, time downward. Two calls with the same
/// trace give the same text; empty for no steps.
[[nodiscard]] std::string trace_text(const scenario& what, const search_result& result, const text_style& style);

/// "violated: data race: ...", the line that ends a trace.
[[nodiscard]] std::string verdict_text(const search_result& result, const text_style& style);

}  // namespace ordeal
