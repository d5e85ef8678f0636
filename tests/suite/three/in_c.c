/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if __STDC_VERSION__ != 201112L
#error "-std=c11 was not taken"
#endif

static int content;
static atomic_bool full;

static void* send(void* unused) {
    content = 42;
    atomic_store_explicit(&full, 1, memory_order_release);
    return unused;
}

void trial(void) {
    pthread_t sender;
    atomic_store(&full, 0); /* on real threads it is run many times */
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&full, memory_order_acquire)) assert(content == 42);
    pthread_join(sender, 0);
}
