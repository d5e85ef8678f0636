// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <utility>

namespace ordeal {

/// Global operator delete does nothing to a block in this range: it belongs to a constructor of a global on trial, which
/// the C library's heap knows nothing of. Before main.
void exempt_static_blocks(memory_range where) noexcept;

/// On real threads: from now on what this thread allocates and frees is counted.
void count_allocations_of_this_thread() noexcept;

/// Blocks that counted threads have allocated and not freed; exact while none of them runs.
[[nodiscard]] std::int64_t counted_live_blocks() noexcept;

/// Makes the n-th allocation from now on by this thread fail, of the model or a real one; 0: none.
void fail_allocation_of_this_thread(unsigned n) noexcept;

/// Allocations made to fail on real threads so far.
[[nodiscard]] std::uint64_t injected_faults() noexcept;

}  // namespace ordeal

namespace ordeal::detail {

/// The next allocation may take a block again that is not on the heap: constructors of globals allocated it before the search, and
/// this execution has freed it. Who says so makes a block of it again, and says so directly before the allocation: it holds for that
/// one, whichever thread runs next.
inline bool static_block_reuse = false;

[[nodiscard]] inline bool consume_static_block_reuse() noexcept { return std::exchange(static_block_reuse, false); }

}  // namespace ordeal::detail
