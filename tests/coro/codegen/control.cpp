// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positive control: production.cpp with a policy that adds one fence to every operation. compare.sh must find each of
// its functions different from plain.cpp.
#include "ordeal/policy/std_policy.hpp"

#include <atomic>

namespace {

template <class T>
class fenced_atomic : public std::atomic<T> {
    using base = std::atomic<T>;

public:
    using base::base;
    using base::compare_exchange_strong;
    using base::exchange;
    using base::load;

    T load(std::memory_order order = std::memory_order_seq_cst) const noexcept {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return base::load(order);
    }
    T exchange(T value, std::memory_order order = std::memory_order_seq_cst) noexcept {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return base::exchange(value, order);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) noexcept {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return base::compare_exchange_strong(expected, desired, success, failure);
    }
};

struct fenced_policy : ordeal::std_policy {
    template <class T>
    using atomic = fenced_atomic<T>;
};

}  // namespace

#define ORDEAL_CODEGEN_POLICY fenced_policy
#include "production.cpp"
