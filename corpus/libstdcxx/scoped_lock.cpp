// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <mutex>
#include <thread>

void trial() {
    std::mutex left;
    std::mutex right;
    int sum = 0;
    std::jthread other([&] {
        const std::scoped_lock both(right, left);
        ++sum;
    });
    {
        const std::scoped_lock both(left, right);
        ++sum;
    }
    other.join();
    assert(sum == 2);
}
