// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <concurrentqueue/concurrentqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::ConcurrentQueue<int> queue(2);
    std::jthread producer([&] { queue.enqueue(1); });
    int value = 1;
    queue.try_dequeue(value);
    assert(value == 1);
}
