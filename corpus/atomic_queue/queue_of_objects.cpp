// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <string>
#include <thread>

void trial() {
    atomic_queue::AtomicQueue2<std::string, 2> queue;
    std::jthread producer([&] { queue.push("a text that is too long for the string itself"); });
    assert(queue.pop().size() > 20);
}
