// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>

// Scenarios on which engines come to different results, or to none; for the tests of the engines and of the command line.
namespace ordeal::model_tests {

/// What its threads share is no type of the policy: nothing of it is seen, and nothing is on trial.
template <class P>
struct forgets_the_policy {
    static constexpr auto threads = std::array{"writer", "reader"};
    std::atomic<int> flag{0};
    int data = 0;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            data = 1;
            flag.store(1, std::memory_order_relaxed);
        } else if (flag.load(std::memory_order_relaxed) == 1) {
            seen = data;
        }
    }
};

/// A loop without a yield: a scheduler that is not fair goes round in it for ever.
template <class P>
struct spins_without_yield {
    static constexpr auto threads = std::array{"waiter", "setter"};
    typename P::template atomic<int> flag{0};

    void run(int thread) {
        if (thread == 1) {
            flag.store(1, std::memory_order_release);
        } else {
            while (flag.load(std::memory_order_acquire) == 0) {
            }
        }
    }
};

}  // namespace ordeal::model_tests
