// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Called by our <latch>, <semaphore> and <barrier>; defined in the program with the harness. Those that return an int
// return 0 where the library's own class is to do it.
#ifndef ORDEAL_PRECONDITIONS_H
#define ORDEAL_PRECONDITIONS_H 1

#pragma GCC system_header

extern "C" {
void __ordeal_expect_count(const volatile void* __object, unsigned long __size, long __least, long __most,
                           const char* __wrong);
int __ordeal_acquire(const volatile void* __count);
int __ordeal_try_acquire(const volatile void* __count);  // -1 where the library's own class is to do it
int __ordeal_arrive(const volatile int* __meeting, long __expected, long __count, int __has_phases);
int __ordeal_await_arrivals(const volatile int* __meeting, long __expected, int __has_phases);
void __ordeal_order_arrivals();
__attribute__((__nothrow__)) void __ordeal_precondition(int __holds, const char* __wrong);
}

#endif
