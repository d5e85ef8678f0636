// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::lockfree::queue<int, boost::lockfree::capacity<2>> queue;
    std::jthread producer([&] { assert(queue.push(1)); });
    int value = 1;
    queue.pop(value);
    assert(value == 1);
}
