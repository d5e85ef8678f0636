// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

namespace ordeal::detail {

/// The next allocation may take a block again that is not on the heap: constructors of globals allocated it before the search, and
/// this execution has freed it. Who says so makes a block of it again, and says so directly before the allocation: it holds for that
/// one, whichever thread runs next.
inline bool static_block_reuse = false;

[[nodiscard]] inline bool consume_static_block_reuse() noexcept {
    return std::exchange(static_block_reuse, false);
}

}  // namespace ordeal::detail
