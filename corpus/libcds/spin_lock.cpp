// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cds/sync/spinlock.h>
#include <cassert>
#include <mutex>
#include <thread>

void trial() {
    cds::sync::spin mutex;
    int count = 0;
    const auto add = [&] {
        const std::lock_guard<cds::sync::spin> lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
