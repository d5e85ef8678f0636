// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::lockfree::queue<int> queue(1);
    std::jthread producer([&] { queue.push(1); });
    int value = 1;
    queue.pop(value);
    assert(value == 1);
}
