// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled as any library: what it does to the counter is not seen.
void increment(int* counter) { ++*counter; }
