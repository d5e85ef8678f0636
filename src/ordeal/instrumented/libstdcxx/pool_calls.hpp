// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal {
class snapshot;
}

namespace ordeal::memory_pools {

// Pools of <memory_resource>, for code on trial: each block comes from the pool's upstream resource, and goes back to it when it
// is given back ([mem.res.pool.mem] leaves that open). So a block that was given back is one that was freed.

/// No pool has given a block.
void begin_execution() noexcept;
/// All of this, of the execution that runs.
void save(snapshot& to);
void restore(snapshot& from);
/// A hash of all blocks.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::memory_pools
