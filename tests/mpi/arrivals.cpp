// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After they have met at a latch, so much is left to explore that several processes share it.
#include "ordeal/check.hpp"

#include <atomic>
#include <latch>
#include <thread>

void trial() {
    std::latch start(3);
    std::atomic<int> count{0};
    const auto work = [&] {
        start.arrive_and_wait();
        for (int i = 0; i < 4; ++i) count.fetch_add(1, std::memory_order_relaxed);
    };
    std::thread first(work);
    std::thread second(work);
    work();
    first.join();
    second.join();
}
