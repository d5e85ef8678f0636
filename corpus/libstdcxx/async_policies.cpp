// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <future>

void trial() {
    auto now = std::async(std::launch::async, [] { return 1; });
    auto later = std::async(std::launch::deferred, [] { return 2; });
    assert(now.get() + later.get() == 3);
}
