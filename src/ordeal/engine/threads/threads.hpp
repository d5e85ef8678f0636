// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <thread>

namespace ordeal {

/// Puts the `index`-th thread of a scenario on a processor of its own where there are several; threads would otherwise
/// mostly take turns. Does nothing where the machine does not allow it.
void pin_to_processor(std::thread& thread, std::size_t index) noexcept;

}  // namespace ordeal
