// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_queue.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::concurrent_queue<int> queue;
    std::jthread producer([&] { queue.push(1); });
    int value = 1;
    queue.try_pop(value);
    assert(value == 1);
}
