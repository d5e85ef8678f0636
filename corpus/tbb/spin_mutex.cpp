// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/spin_mutex.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::spin_mutex mutex;
    int count = 0;
    const auto add = [&] {
        const tbb::spin_mutex::scoped_lock lock(mutex);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
