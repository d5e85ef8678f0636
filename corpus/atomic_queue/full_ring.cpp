// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

// The ring has one place: a push that finds it taken fails or waits for the pop.
void trial() {
    atomic_queue::AtomicQueueB2<int> queue(1);
    std::jthread producer([&] {
        queue.push(1);
        queue.push(2);
    });
    assert(queue.pop() == 1);
    assert(queue.pop() == 2);
}
