// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts with an instruction that no compiler made: nothing of it is seen.
#include <thread>

namespace {

int count = 0;

void increment() {
    int one = 1;
    asm volatile("lock xaddl %0, %1" : "+r"(one), "+m"(count) : : "memory");
}

}  // namespace

void trial() {
    std::thread other(increment);
    increment();
    other.join();
}
