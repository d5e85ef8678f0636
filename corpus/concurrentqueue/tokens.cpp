// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <concurrentqueue/concurrentqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::ConcurrentQueue<int> queue(2, 1, 0);
    moodycamel::ProducerToken producing(queue);
    std::jthread producer([&] { assert(queue.enqueue(producing, 1)); });
    moodycamel::ConsumerToken consuming(queue);
    int value = 1;
    queue.try_dequeue(consuming, value);
    assert(value == 1);
}
