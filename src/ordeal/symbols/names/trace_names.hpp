// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "ordeal/symbols/names/naming_log.hpp"

#include <string>

namespace ordeal::detail {

/// Fills `name`, `type`, `before_name` and `after_name` of the steps, and names in the message, as far as debug
/// information has them. Several objects of one type are numbered in the order of the steps.
///
/// Must be called right after the run, while its memory is unchanged, on the one thread that searches, outside the code
/// on trial.
void name_trace_objects(trace& steps, std::string& message, const naming_log& log, const scenario& what);

}  // namespace ordeal::detail
