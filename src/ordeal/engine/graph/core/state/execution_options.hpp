// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/memory_model.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// What the runs of one search have in common.
struct execution_options {
    unsigned spurious = 0;
    unsigned reuse = 0;  ///< how often freed memory may be reused in an execution
    unsigned step_limit = 10'000;
    std::uint64_t non_atomic_limit = 20'000'000;  ///< non-atomic accesses of instrumented code in one execution
    bool instrumented = false;
    search_reductions reductions{};
    std::vector<acceptance> accept{};  ///< violations after which the search continues
    memory_model model = memory_model::rc11;
};

}  // namespace ordeal::detail::graph
