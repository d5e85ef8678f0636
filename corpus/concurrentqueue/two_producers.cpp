// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <concurrentqueue/concurrentqueue.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::ConcurrentQueue<int> queue(2);
    {
        std::jthread one([&] { queue.enqueue(1); });
        std::jthread other([&] { queue.enqueue(2); });
    }
    int first = 0;
    int second = 0;
    assert(queue.try_dequeue(first) && queue.try_dequeue(second) && first + second == 3);
}
