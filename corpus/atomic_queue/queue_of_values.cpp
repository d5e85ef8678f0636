// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

void trial() {
    atomic_queue::AtomicQueue<int, 2> queue;
    std::jthread producer([&] { assert(queue.try_push(1)); });
    int value = 1;
    queue.try_pop(value);
    assert(value == 1);
}
