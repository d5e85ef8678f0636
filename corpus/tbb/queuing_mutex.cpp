// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/queuing_mutex.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::queuing_mutex mutex;
    int count = 0;
    const auto add = [&] {
        tbb::queuing_mutex::scoped_lock lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
