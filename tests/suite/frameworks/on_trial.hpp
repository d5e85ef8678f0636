// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <thread>

// What the tests are of: right with acq_rel, and a race of the payload without.
struct mailbox {
    explicit mailbox(std::memory_order how) : order(how) {}

    void put(int value) {
        content = value;
        full.store(true, order == std::memory_order_relaxed ? order : std::memory_order_release);
    }
    [[nodiscard]] int take() const {
        return full.load(order == std::memory_order_relaxed ? order : std::memory_order_acquire) ? content : 0;
    }

    std::memory_order order;
    int content = 0;
    std::atomic<bool> full{false};
};

// The counter that a test's own threads share: two increments that are one operation each, or two.
inline int incremented_by_two(bool at_once) {
    std::atomic<int> counter{0};
    const auto increment = [&] {
        if (at_once) {
            counter.fetch_add(1, std::memory_order_relaxed);
        } else {
            counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        }
    };
    std::thread other(increment);
    increment();
    other.join();
    return counter.load(std::memory_order_relaxed);
}
