// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suites that declare what is not so: their tests fail. The code that the first is of knows nothing of Relacy.
#include <relacy/relacy.hpp>

#include <atomic>
#include <mutex>

class account {
public:
    void pay(int amount) {
        const std::lock_guard<std::mutex> lock(mutex_);
        balance_ += amount;
        changes_.fetch_add(1, std::memory_order_relaxed);
    }
    [[nodiscard]] int balance() const { return balance_; }

private:
    std::mutex mutex_;
    int balance_ = 0;
    std::atomic<int> changes_{0};
};

struct pays : rl::test_suite<pays, 2> {
    account one;
    void thread(unsigned index) {
        one.pay(1);
        if (index == 0) RL_ASSERT(one.balance() >= 1);
    }
};

// It declares that a condition is come to, and that is no assertion that fails.
struct declares_another_end : rl::test_suite<declares_another_end, 1, rl::test_result_until_condition_hit> {
    void thread(unsigned) { RL_ASSERT(rl::rand(2) == 0); }
};

int main() { return rl::simulate<pays>() && rl::simulate<declares_another_end>() ? 0 : 1; }
