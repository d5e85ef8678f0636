// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <string>
#include <vector>

namespace ordeal::model_tests {

/// Holds each sentence of an explanation against the trace that it is about. What the trace contradicts, a line each; so is
/// a sentence of a form that is not known here.
[[nodiscard]] std::vector<std::string> contradictions(const scenario& what, const detail::search_result& result);

}  // namespace ordeal::model_tests
