// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::BlockingConcurrentQueue<int> queue(2);
    std::jthread producer([&] { queue.enqueue(1); });
    int value = 0;
    queue.wait_dequeue(value);
    assert(value == 1);
}
