// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <future>

void trial() {
    std::atomic<int> calls{0};
    auto now = std::async(std::launch::async, [&] { return ++calls; });
    auto later = std::async(std::launch::deferred, [&] { return ++calls; });
    const int called_here = later.get();
    assert(called_here + now.get() == 3);
}
