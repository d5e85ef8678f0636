// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter as libraries in C have it: nothing of what it does is seen, whatever it is.
#include <thread>

namespace {

[[gnu::noinline]] void increment(int* counter) {
#if defined(__x86_64__)
    __asm__ volatile("lock incl %0" : "+m"(*counter) : : "memory");
#else
    int value = 0;
    int failed = 0;
    __asm__ volatile("1: ldxr %w0, [%2]\n add %w0, %w0, 1\n stxr %w1, %w0, [%2]\n cbnz %w1, 1b"
                     : "=&r"(value), "=&r"(failed)
                     : "r"(counter)
                     : "memory");
#endif
}

}  // namespace

void trial() {
    int counter = 0;
    std::thread other([&] { increment(&counter); });
    increment(&counter);
    other.join();
}
