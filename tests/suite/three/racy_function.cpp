// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <thread>

void trial();

void trial() {
    int content = 0;
    std::atomic<bool> full{false};
    std::thread sender([&] {
        content = 42;
        full.store(true, std::memory_order_relaxed);
    });
    while (!full.load(std::memory_order_relaxed)) std::this_thread::yield();
    content = 43;
    assert(content != 43);  // seen also where nobody looks for races
    sender.join();
}
