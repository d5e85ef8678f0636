// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <vector>

namespace ordeal::heap {

/// The blocks that the code on trial has allocated and not freed, by address within each thread.
[[nodiscard]] std::vector<memory_range> live_blocks();

}  // namespace ordeal::heap
