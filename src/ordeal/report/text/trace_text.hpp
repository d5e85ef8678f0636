// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/text/style.hpp"

#include <cstdint>
#include <string>

namespace ordeal::detail {

/// Which steps of a trace are shown, and how.
enum class trace_detail : std::uint8_t {
    causes,  ///< those that led to the violation, a line for each
    all,     ///< every one, with its source line
};

/// The trace of an execution for people to read: a column for each thread, time downward. Two calls with the same
/// trace give the same text; empty for no steps.
[[nodiscard]] std::string trace_text(const scenario& what, const search_result& result, const explanation& why,
                                     const text_style& style, trace_detail shown);

/// "violated: data race: ...", the two ends with their source lines, and why: what stands above a trace.
[[nodiscard]] std::string conclusion_text(const scenario& what, const search_result& result, const explanation& why,
                                          const text_style& style);

/// The same without its first line, for where that has been said: the ends, and why.
[[nodiscard]] std::string why_text(const scenario& what, const search_result& result, const explanation& why,
                                   const text_style& style);

/// Both, the conclusion first.
[[nodiscard]] std::string violation_text(const scenario& what, const search_result& result, const explanation& why,
                                         const text_style& style, trace_detail shown);

}  // namespace ordeal::detail
