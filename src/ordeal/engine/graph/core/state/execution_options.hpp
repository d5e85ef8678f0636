// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/memory_model.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// What the runs of one search have in common.
struct execution_options {
    unsigned spurious = 0;
    unsigned reuse = 0;  ///< how often freed memory may come back in an execution
    unsigned step_limit = 10'000;
    std::uint64_t plain_limit = 20'000'000;  ///< plain accesses of instrumented code in one execution
    bool instrumented = false;
    bool snapshots = true;                ///< of runs are kept, for others to go on from
    bool cut_retries = true;           ///< those in vain are not followed
    bool waiting_has_events = false;   ///< an operation that has to wait has its read at once, not when it can go on
    std::vector<acceptance> accept{};  ///< violations that are gone on behind
    memory_model model = memory_model::rc11;
};

}  // namespace ordeal::graph
