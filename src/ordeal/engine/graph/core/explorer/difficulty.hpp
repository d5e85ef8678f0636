// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// How hard an execution is to read: by changes of thread first, then by stale reads, then by events.
[[nodiscard]] std::uint64_t difficulty(const execution_graph& graph);

}  // namespace ordeal::detail::graph
