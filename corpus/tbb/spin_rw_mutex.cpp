// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/spin_rw_mutex.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::spin_rw_mutex mutex;
    int left = 0;
    int right = 0;
    std::jthread writer([&] {
        const tbb::spin_rw_mutex::scoped_lock lock(mutex, true);
        ++left;
        ++right;
    });
    const tbb::spin_rw_mutex::scoped_lock lock(mutex, false);
    assert(left == right);
}
