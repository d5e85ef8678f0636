// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads race in a library. With POSIX threads and built-in atomics, for there are many of these trials: the headers of the
// standard library would be most of what is compiled.
#include <pthread.h>

void increment(int* counter);

namespace {

struct counted {
    int counter = 0;
    int met = 0;

    void count() {
        increment(&counter);
        __atomic_fetch_add(&met, 1, __ATOMIC_SEQ_CST);
    }
};

void* count(void* what) {
    static_cast<counted*>(what)->count();
    return nullptr;
}

}  // namespace

void trial() {
    counted both;
    pthread_t other{};
    pthread_create(&other, nullptr, count, &both);
    both.count();
    pthread_join(other, nullptr);
}
