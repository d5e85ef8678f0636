// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal {

/// Makes the `n`-th allocation from now on (1: the next) by this thread of the scenario fail with std::bad_alloc,
/// once. 0 takes it back.
void fail_allocation(unsigned n) noexcept;

}  // namespace ordeal
