// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <thread>

void trial() {
    std::atomic<int> turn{0};
    int value = 0;
    std::jthread one([&] {
        turn.wait(0, std::memory_order_acquire);
        ++value;
        turn.store(2, std::memory_order_release);
        turn.notify_all();
    });
    value = 1;
    turn.store(1, std::memory_order_release);
    turn.notify_all();
    turn.wait(1, std::memory_order_acquire);
    assert(value == 2);
}
