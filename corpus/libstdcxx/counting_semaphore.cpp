// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <semaphore>
#include <thread>

void trial() {
    std::counting_semaphore<2> items(0);
    int slots[2] = {0, 0};
    std::jthread producer([&] {
        slots[0] = 1;
        items.release();
        slots[1] = 2;
        items.release();
    });
    items.acquire();
    assert(slots[0] == 1);
    if (items.try_acquire()) assert(slots[1] == 2);
}
