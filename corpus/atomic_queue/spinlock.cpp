// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/spinlock.h>
#include <cassert>
#include <mutex>
#include <thread>

void trial() {
    atomic_queue::Spinlock mutex;
    int count = 0;
    const auto add = [&] {
        const std::lock_guard<atomic_queue::Spinlock> lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
