// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tbb/concurrent_priority_queue.h>
#include <cassert>
#include <thread>

void trial() {
    tbb::concurrent_priority_queue<int> values;
    std::jthread producer([&] { values.push(2); });
    int value = 2;
    values.try_pop(value);
    assert(value == 2);
}
