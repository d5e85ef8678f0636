// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace ordeal::detail {
class snapshot;
}

namespace ordeal::detail::memory_pools {

// Pools of <memory_resource> for code on trial: each block comes from the pool's upstream resource, and is returned to
// it when it is deallocated ([mem.res.pool.mem] leaves that open). So a deallocated block is a freed one.

/// Forgets all blocks.
void begin_execution() noexcept;
/// Save and restore the blocks of the current execution.
void save(snapshot& to);
void restore(snapshot& from);
/// A hash of all blocks.
[[nodiscard]] std::uint64_t fingerprint() noexcept;

}  // namespace ordeal::detail::memory_pools
