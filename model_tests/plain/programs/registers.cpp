// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around locks with a time limit, which count how often they have come to it: in any register that calls keep.
#include "model_tests/plain/programs/programs.hpp"
#include "model_tests/support/counting_calls.hpp"

#include <pthread.h>
#include <time.h>
#include <cerrno>
#include <string>

#if defined(__x86_64__)

namespace ordeal::model_tests {

namespace {

// Much later than anything else: waits end at their limit one after the other.
constexpr timespec late{1'734'567'891 + 1'000'000, 0};

template <class Lock, auto Function>
struct lock {
    Lock object{};

    counted_call call() { return {reinterpret_cast<const void*>(Function), &object, &late, nullptr}; }
};

// The other thread chooses the register.
template <class Wait>
struct counts_time_outs {
    static constexpr auto threads = std::array{"counts", "chooses"};
    Wait wait;
    std::atomic<std::size_t> which{0};
    std::size_t chosen = 0;
    long time_outs = 0;

    void run(int thread) {
        if (thread == 1) {
            for (std::size_t i = 1; i < count_calls.size(); ++i) which.store(i, relaxed);
            return;
        }
        chosen = which.load(relaxed);
        const counted_call call = wait.call();
        time_outs = count_calls[chosen](call, ETIMEDOUT);
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(chosen) + ": " + std::to_string(time_outs); }
};

using of_mutex = lock<pthread_mutex_t, &pthread_mutex_timedlock>;
using of_reader = lock<pthread_rwlock_t, &pthread_rwlock_timedrdlock>;
using of_writer = lock<pthread_rwlock_t, &pthread_rwlock_timedwrlock>;

}  // namespace

ORDEAL_SCENARIO("programs/time_outs_of_a_mutex", counts_time_outs<of_mutex>);
ORDEAL_SCENARIO("programs/time_outs_of_a_reader", counts_time_outs<of_reader>);
ORDEAL_SCENARIO("programs/time_outs_of_a_writer", counts_time_outs<of_writer>);

}  // namespace ordeal::model_tests

#endif
