// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

void trial() {
    int content = 0;
    boost::lockfree::queue<int*, boost::lockfree::capacity<2>> queue;
    std::jthread producer([&] {
        content = 1;
        queue.push(&content);
    });
    int* seen = nullptr;
    if (queue.pop(seen)) assert(*seen == 1);
}
