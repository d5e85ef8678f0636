// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/trial.h"

#include <atomic>
#include <cassert>
#include <thread>

void trial();

void trial() {
    int content = 0;
    std::atomic<bool> full{false};
    std::thread sender([&] {
        content = 42;
        full.store(true, std::memory_order_release);
    });
    if (full.load(std::memory_order_acquire)) assert(content == 42);
    sender.join();
}

ORDEAL_TRIAL("counts") {
    std::atomic<int> count{0};
    std::thread other([&] { count.fetch_add(1); });
    count.fetch_add(1);
    other.join();
    assert(count.load() == 2);
}
