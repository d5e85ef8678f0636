// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

void trial() {
    std::binary_semaphore ready(0);
    int value = 0;
    std::jthread other([&] {
        value = 1;
        ready.release();
    });
    if (ready.try_acquire_for(std::chrono::milliseconds(1))) assert(value == 1);
}
