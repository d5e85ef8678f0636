// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_queue.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::concurrent_queue<int> queue;
    {
        std::jthread one([&] { queue.push(1); });
        std::jthread other([&] { queue.push(2); });
    }
    int first = 0;
    int second = 0;
    assert(queue.try_pop(first) && queue.try_pop(second) && first + second == 3);
}
