// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic_queue/atomic_queue_mutex.h>
#include <atomic_queue/spinlock.h>
#include <cassert>
#include <thread>

void trial() {
    atomic_queue::TicketSpinlock mutex;
    int count = 0;
    const auto add = [&] {
        const atomic_queue::TicketSpinlock::scoped_lock lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
