// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <thread>

namespace ordeal::detail {

/// Pins the `index`-th thread of a scenario to a processor of its own if there are several; otherwise threads would
/// mostly alternate. Does nothing if the machine does not allow it.
void pin_to_processor(std::thread& thread, std::size_t index) noexcept;

}  // namespace ordeal::detail
