// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;
    std::jthread producer([&] {
        assert(queue.push(1));
        assert(queue.push(2));
    });
    int value = 0;
    if (queue.pop(value)) assert(value == 1);
    if (value == 1 && queue.pop(value)) assert(value == 2);
}
