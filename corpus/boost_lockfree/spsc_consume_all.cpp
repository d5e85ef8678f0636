// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

void trial() {
    boost::lockfree::spsc_queue<int> queue(1);
    int sum = 0;
    {
        std::jthread producer([&] {
            while (!queue.push(1)) std::this_thread::yield();
            while (!queue.push(2)) std::this_thread::yield();
        });
        while (sum < 3) {
            if (queue.consume_all([&](int value) { sum += value; }) == 0) std::this_thread::yield();
        }
    }
    assert(sum == 3);
}
