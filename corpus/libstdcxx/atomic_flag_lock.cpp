// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cassert>
#include <thread>

// The lock of cppreference's page on atomic_flag, with wait and notify.
void trial() {
    std::atomic_flag taken;
    int count = 0;
    const auto add = [&] {
        while (taken.test_and_set(std::memory_order_acquire)) taken.wait(true, std::memory_order_relaxed);
        ++count;
        taken.clear(std::memory_order_release);
        taken.notify_one();
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
