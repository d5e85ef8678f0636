// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <mutex>

/// What the tests are of: in a library of the project, which starts the threads, too.
class account {
public:
    /// Pays this much, by two threads at once. Right, if `locked`; else what one of them pays may be lost.
    void pay_twice(int amount, bool locked);
    [[nodiscard]] int balance() const { return balance_.load(std::memory_order_relaxed); }

private:
    void pay(int amount, bool locked);

    std::mutex mutex_;
    std::atomic<int> balance_{0};
};

/// Hands a letter over by a flag whose store is relaxed: a data race.
int letter_handed_over();
