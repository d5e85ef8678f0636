// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <thread>

namespace {

// A plain increment, which nobody sees.
[[gnu::noinline]] void increment(int* counter) {
#if defined(__x86_64__)
    __asm__ volatile("incl %0" : "+m"(*counter) : : "memory");
#else
    int value = 0;
    __asm__ volatile("ldr %w0, [%1]\n add %w0, %w0, 1\n str %w0, [%1]" : "=&r"(value) : "r"(counter) : "memory");
#endif
}

}  // namespace

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
