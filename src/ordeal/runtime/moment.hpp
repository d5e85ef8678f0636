// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal {

/// A point of a thread in an execution: what the thread has done before it.
struct moment {
    std::int32_t thread = 0;
    std::uint32_t events = 0;  ///< atomic operations, fences, lock operations of the thread before it
    std::uint32_t noted = 0;   ///< moments of the execution before it, this one included

    friend bool operator==(const moment&, const moment&) = default;
};

}  // namespace ordeal
