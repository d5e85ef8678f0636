// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

void trial() {
    atomic_queue::AtomicQueue2<int, 2> queue;
    {
        std::jthread one([&] { assert(queue.try_push(1)); });
        std::jthread other([&] { assert(queue.try_push(2)); });
    }
    int first = 0;
    int second = 0;
    assert(queue.try_pop(first) && queue.try_pop(second) && first + second == 3);
}
