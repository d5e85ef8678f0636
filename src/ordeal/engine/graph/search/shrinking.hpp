// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/explorer/tally.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/search/samplers.hpp"

#include <functional>

namespace ordeal::detail::graph {

/// A violation that a random execution has shown, in the simplest execution found: fewer changes of thread, then
/// fewer stale reads and spurious failures, then fewer events. Parts of the schedule and of the deviations are left
/// out, large ones first, for as long as the violation stays (delta debugging: Zeller and Hildebrandt, IEEE TSE 2002).
/// `made` are the decisions of the execution `found`, and `is_over` ends it early. No clock has another say: it makes
/// the same executions each time.
[[nodiscard]] counterexample shrink(execution_runner& runner, counterexample found, const decisions& made,
                                    const std::function<bool()>& is_over);

}  // namespace ordeal::detail::graph
