// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <utility>

namespace ordeal::detail {

/// Makes global operator delete ignore blocks in this range: they belong to constructors of globals on trial and are
/// unknown to the C library's heap. Called before main.
void exempt_static_blocks(memory_range where) noexcept;

/// On real threads: counts allocations and frees of this thread from now on.
void count_allocations_of_this_thread() noexcept;

/// Blocks that counted threads have allocated and not freed; exact while none of them runs.
[[nodiscard]] std::int64_t counted_live_blocks() noexcept;

/// Makes the n-th allocation from now on by this thread fail, of the model or a real one; 0: none.
void fail_allocation_of_this_thread(unsigned n) noexcept;

/// Allocations made to fail on real threads so far.
[[nodiscard]] std::uint64_t injected_faults() noexcept;

/// The next allocation may reuse a block that is not on the heap: constructors of globals allocated it before the
/// search, and this execution has freed it. The caller that sets this makes it a block again, and sets this directly
/// before the allocation: it applies to that one, whichever thread runs next.
inline bool static_block_reuse = false;

[[nodiscard]] inline bool consume_static_block_reuse() noexcept { return std::exchange(static_block_reuse, false); }

}  // namespace ordeal::detail
