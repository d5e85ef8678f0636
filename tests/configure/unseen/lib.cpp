// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
void increment(int* counter) { ++*counter; }
void lend(void (*use)(char*)) {
    char own[1024];
    use(own + sizeof(own) / 2);
}
