// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/spin_rw_mutex.h>
#include <cassert>
#include <thread>

// A reader becomes a writer, and is told whether it had to let another one in between.
void trial() {
    tbb::spin_rw_mutex mutex;
    int count = 0;
    const auto add = [&] {
        tbb::spin_rw_mutex::scoped_lock lock(mutex, false);
        const int seen = count;
        if (lock.upgrade_to_writer()) assert(count == seen);
        ++count;
    };
    {
        std::jthread one(add);
        std::jthread other(add);
    }
    assert(count == 2);
}
