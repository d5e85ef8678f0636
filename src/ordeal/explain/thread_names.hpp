// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <string>
#include <vector>

namespace ordeal::detail {

/// The name of each thread of a trace: the scenario's own, then "thread 3" for the third when the code on trial created it.
[[nodiscard]] std::vector<std::string> thread_names(const scenario& what, const trace& steps);

}  // namespace ordeal::detail
