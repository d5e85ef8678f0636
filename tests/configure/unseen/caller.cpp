// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads race in a library.
#include <atomic>
#include <thread>

void increment(int* counter);

void trial() {
    int counter = 0;
    std::atomic<int> met{0};
    std::thread other([&] {
        increment(&counter);
        met.fetch_add(1);
    });
    increment(&counter);
    met.fetch_add(1);
    other.join();
}
