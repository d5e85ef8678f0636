// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "ordeal/symbols/names/naming_log.hpp"

#include <string>

namespace ordeal {

/// Fills `name`, `type`, `before_name` and `after_name` of the steps, and puts names into the message, as far as debug
/// information has them. Of several objects of one type, each is numbered, in the order of the steps.
///
/// Right after the run, when its memory is still as it was. On the one thread that searches, outside the code on trial.
void name_trace_objects(trace& steps, std::string& message, const naming_log& log, const scenario& what);

}  // namespace ordeal
