// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with this lock, each with the violation that it must get.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace examples {
namespace {

// The flag is read, and then written: two threads may both have read false.
class tests_then_sets {
public:
    void lock() {
        while (taken_.load(std::memory_order_acquire)) {
        }
        taken_.store(true, std::memory_order_relaxed);
    }
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> taken_{false};
};

// "The flag is atomic, so the store needs no order": nothing then orders what was done under the lock.
class relaxed_unlock {
public:
    void lock() {
        while (taken_.exchange(true, std::memory_order_acquire)) {
        }
    }
    void unlock() { taken_.store(false, std::memory_order_relaxed); }

private:
    std::atomic<bool> taken_{false};
};

template <class Lock>
struct two_threads_count {
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
    static constexpr auto threads = std::array{"first", "second"};
    Lock lock;
    int count = 0;

    void run(int /*thread*/) {
        const std::scoped_lock guard(lock);
        ++count;
    }
};

struct test_then_set : two_threads_count<tests_then_sets> {
    static constexpr auto about = "A load and a store in place of one exchange: both threads are in.";
};
ORDEAL_SCENARIO("spin_lock_mistakes/test_then_set", test_then_set);

struct unlock_relaxed : two_threads_count<relaxed_unlock> {
    static constexpr auto about = "unlock() without release: one at a time, but unordered.";
};
ORDEAL_SCENARIO("spin_lock_mistakes/unlock_relaxed", unlock_relaxed);

}  // namespace
}  // namespace examples
