// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <semaphore>
#include <thread>

void trial() {
    std::binary_semaphore mutex(1);
    int count = 0;
    const auto add = [&] {
        mutex.acquire();
        ++count;
        mutex.release();
    };
    {
        std::jthread one(add);
        std::jthread other(add);
        add();
    }
    assert(count == 3);
}
