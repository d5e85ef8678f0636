// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <thread>

void increment(int* counter);

void trial() {
    int counter = 0;
    std::atomic<bool> over{false};
    std::thread other([&] {
        increment(&counter);
        over = true;
    });
    increment(&counter);
    (void)over.load();
    other.join();
}
