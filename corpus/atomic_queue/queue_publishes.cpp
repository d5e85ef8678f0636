// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

void trial() {
    int content = 0;
    atomic_queue::AtomicQueue<int*, 2> queue;
    std::jthread producer([&] {
        content = 1;
        queue.push(&content);
    });
    assert(*queue.pop() == 1);
}
