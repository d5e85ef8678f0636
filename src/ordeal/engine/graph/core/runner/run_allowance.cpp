// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/runner/run_allowance.hpp"

#include "ordeal/engine/graph/core/runner/execution_runner.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

run_meter::run_meter(execution_runner& runs) noexcept
    : runner_(runs), steps_before_(runs.interpreter().operation_accounting.total_steps()) {}

// Each operation and each non-atomic access is counted as a step.
std::uint64_t run_meter::last_run() noexcept {
    const std::uint64_t steps = runner_.interpreter().operation_accounting.total_steps();
    const std::uint64_t made = steps - steps_before_;
    const std::uint64_t operations = std::min<std::uint64_t>(runner_.interpreter().run.operations, made);
    steps_before_ = steps;
    return runs_that_count(operations, made - operations);
}

}  // namespace ordeal::detail::graph
