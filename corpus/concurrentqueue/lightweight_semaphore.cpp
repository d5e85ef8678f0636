// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <concurrentqueue/concurrentqueue.h>

#include <concurrentqueue/lightweightsemaphore.h>
#include <cassert>
#include <thread>

void trial() {
    moodycamel::LightweightSemaphore items;
    int value = 0;
    std::jthread producer([&] {
        value = 1;
        items.signal();
    });
    assert(items.wait());
    assert(value == 1);
}
