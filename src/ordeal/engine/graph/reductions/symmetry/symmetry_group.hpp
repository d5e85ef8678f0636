// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// Threads that one thread creates one directly after the other, and that begin alike.
struct symmetry_group {
    std::vector<std::uint8_t> members;  ///< in the order in which they are created
    /// The argument of each is the address of a block of its own, which holds the same. It frees that itself.
    bool own_blocks = false;

    bool operator==(const symmetry_group&) const = default;
};

}  // namespace ordeal::graph
