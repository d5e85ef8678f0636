// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::lockfree::queue<int, boost::lockfree::capacity<2>> queue;
    {
        std::jthread one([&] { assert(queue.push(1)); });
        std::jthread other([&] { assert(queue.push(2)); });
    }
    int first = 0;
    int second = 0;
    assert(queue.pop(first) && queue.pop(second) && first + second == 3);
}
