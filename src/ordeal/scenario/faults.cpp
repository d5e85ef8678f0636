// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/scenario/faults.hpp"

#include "ordeal/runtime/memory/allocation.hpp"

namespace ordeal {

using namespace detail;

void fail_allocation(unsigned n) noexcept { fail_allocation_of_this_thread(n); }

}  // namespace ordeal
