// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/memory_model.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Operations in an execution, if nothing else was asked for. A random execution of code without a policy costs time
/// and memory in proportion to its length; with a policy, more operations are taken for a livelock.
inline constexpr unsigned default_length = 10'000;
inline constexpr unsigned default_random_length = 1'000'000;

/// What the runs of one search have in common.
struct execution_options {
    unsigned spurious = 0;
    unsigned reuse = 0;                           ///< how often freed memory may be reused in an execution
    unsigned step_limit = default_length;         ///< operations in an execution
    std::uint64_t non_atomic_limit = 20'000'000;  ///< non-atomic accesses of instrumented code in one execution
    bool late_timeouts = false;                   ///< timeouts::late, in random executions
    bool instrumented = false;
    bool begins_again = false;  ///< where the search learns what changes all of its graphs
    search_reductions reductions{};
    std::vector<acceptance> accept{};  ///< violations after which the search continues
    memory_model model = memory_model::rc11;
};

}  // namespace ordeal::detail::graph
