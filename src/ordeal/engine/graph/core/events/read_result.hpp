// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>

namespace ordeal::graph {

/// What a read saw.
struct seen_value {
    std::uint64_t value = 0;
    event_id id = initial_write;
    event_id rf = initial_write;
    bool spurious = false;
    bool fresh = false;  ///< the read was added in this run
    std::uint8_t variant = 0;
    std::uint32_t began = 0;  ///< step that wrote the value with which the object began
};

}  // namespace ordeal::graph
