// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// Makes the `n`-th allocation from now on (1: the next) by this thread of the scenario fail once with std::bad_alloc.
/// 0 cancels it.
void fail_allocation(unsigned n) noexcept;

}  // namespace ordeal
