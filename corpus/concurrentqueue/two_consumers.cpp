// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <concurrentqueue/concurrentqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::ConcurrentQueue<int> queue(2);
    queue.enqueue(1);
    queue.enqueue(2);
    int first = 0;
    int second = 0;
    {
        std::jthread one([&] { assert(queue.try_dequeue(first)); });
        std::jthread other([&] { assert(queue.try_dequeue(second)); });
    }
    assert(first + second == 3);
}
