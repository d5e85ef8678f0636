// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Called by our <latch>, <semaphore> and <barrier>; defined in the program with the harness.
#ifndef ORDEAL_PRECONDITIONS_H
#define ORDEAL_PRECONDITIONS_H 1

#pragma GCC system_header

extern "C" {
void __ordeal_expect_count(const volatile void* __object, unsigned long __size, long __least, long __most,
                           const char* __wrong);
void __ordeal_precondition(int __holds, const char* __wrong);
}

#endif
