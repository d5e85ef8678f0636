// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "account.hpp"

#include <thread>

void account::pay(int amount, bool locked) {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (locked) lock.lock();
    const int before = balance_.load(std::memory_order_relaxed);
    balance_.store(before + amount, std::memory_order_relaxed);
}

void account::pay_twice(int amount, bool locked) {
    std::thread other([&] { pay(amount, locked); });
    pay(amount, locked);
    other.join();
}

int letter_handed_over() {
    int letter = 0;
    std::atomic<bool> ready{false};
    std::thread writer([&] {
        letter = 42;
        ready.store(true, std::memory_order_relaxed);
    });
    const int seen = ready.load(std::memory_order_acquire) ? letter : 42;
    writer.join();
    return seen;
}
