// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread stores and then loads what the other one stored, with assembler in between that is a fence, and more: an
// increment of what others may read. It is not seen, so that both loads may find nothing: a violation that rests on that.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

int fences = 0;

[[gnu::noinline]] void fence() {
#if defined(__x86_64__)
    __asm__ volatile("lock; incl %0" : "+m"(fences) : : "memory");
#else
    int value = 0;
    int failed = 0;
    __asm__ volatile("dmb ish\n 1: ldxr %w0, [%2]\n stxr %w1, %w0, [%2]\n cbnz %w1, 1b\n dmb ish"
                     : "=&r"(value), "=&r"(failed)
                     : "r"(&fences)
                     : "memory");
#endif
}

}  // namespace

void trial() {
    std::atomic<int> x{0};
    std::atomic<int> y{0};
    int seen_x = 0;
    int seen_y = 0;
    std::thread other([&] {
        x.store(1, std::memory_order_relaxed);
        fence();
        seen_y = y.load(std::memory_order_relaxed);
    });
    y.store(1, std::memory_order_relaxed);
    fence();
    seen_x = x.load(std::memory_order_relaxed);
    other.join();
    assert(seen_x == 1 || seen_y == 1);
}
