// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <string>
#include <vector>

namespace ordeal::model_tests {

/// Holds each sentence of an explanation against the trace that it is about. Returns those that the trace contradicts,
/// and those of a form that is not known here.
[[nodiscard]] std::vector<std::string> contradictions(const scenario& what, const detail::search_result& result,
                                                      const detail::explanation& why);
/// The same of the explanation that a report of this result has.
[[nodiscard]] std::vector<std::string> contradictions(const scenario& what, const detail::search_result& result);

}  // namespace ordeal::model_tests
