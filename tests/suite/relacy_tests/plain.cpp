// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A suite of code that knows nothing of Relacy. It declares what is not so: its test fails.
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

int main() { return rl::simulate<pays>() ? 0 : 1; }
