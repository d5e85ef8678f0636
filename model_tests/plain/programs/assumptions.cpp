// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executions that are of no interest where an assumption does not hold.
#include "model_tests/plain/programs/programs.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace ordeal::model_tests {

namespace {

constexpr std::array two{"writes", "assumes"};

// Of two executions one is of interest.
struct sees_the_flag {
    static constexpr auto threads = two;
    std::atomic<int> flag{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            flag.store(1, relaxed);
        } else {
            seen = flag.load(relaxed);
            assume(seen == 1);
        }
    }
    void finish() const { require(seen == 1); }
    [[nodiscard]] int outcome() const { return seen; }
};

// The thread stops with a lock that another one waits for, and with memory that it would have freed; a third one waits
// for its end.
struct others_wait {
    static constexpr auto threads = only_main;
    std::mutex lock;
    std::atomic<int> flag{0};
    int value = 0;

    void run(int /*thread*/) {
        std::thread assumes([this] {
            const std::lock_guard held(lock);
            const auto block = std::make_unique<int>(1);
            assume(flag.load(relaxed) == 0);
            value += *block;
        });
        std::thread waits([this] {
            flag.store(1, relaxed);
            const std::lock_guard held(lock);
            ++value;
        });
        assumes.join();
        waits.join();
        require(value == 2);
    }
};

// The requirement would fail where the assumption does not hold, but is not reached there. It rests on the orders.
template <std::memory_order Store, std::memory_order Load>
struct required_after {
    static constexpr auto threads = two;
    std::atomic<int> x{0};
    std::atomic<int> y{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            y.store(1, Store);
        } else {
            assume(y.load(Load) == 1);
            require(x.load(relaxed) == 1);
        }
    }
};

// What another thread does is judged, whatever becomes of the execution.
struct another_is_wrong {
    static constexpr auto threads = two;
    std::atomic<int> x{0};
    std::atomic<int> y{0};

    void run(int thread) {
        if (thread == 0) {
            x.store(1, relaxed);
            require(y.load(relaxed) == 0);
        } else {
            y.store(1, relaxed);
            assume(x.load(relaxed) == 0);
        }
    }
};

// In the executions that are left each thread has one lock and waits for the other.
struct a_deadlock_elsewhere {
    static constexpr auto threads = two;
    std::mutex first;
    std::mutex second;
    std::atomic<int> order{0};

    void run(int thread) {
        std::mutex& mine = thread == 0 ? first : second;
        std::mutex& other = thread == 0 ? second : first;
        assume(order.fetch_add(1, relaxed) == thread);
        const std::lock_guard held(mine);
        const std::lock_guard both(other);
    }
};

// Threads that do the same remain interchangeable.
struct alike {
    static constexpr auto threads = only_main;
    std::atomic<int> count{0};

    void run(int /*thread*/) {
        std::array<std::thread, 3> all;
        for (std::thread& each : all) {
            each = std::thread([this] {
                const int before = count.load(relaxed);
                count.fetch_add(1, relaxed);
                assume(before == 0);
            });
        }
        for (std::thread& each : all) each.join();
    }
    [[nodiscard]] int outcome() const { return count.load(relaxed); }
};

// Decided when all threads have ended.
struct at_the_end {
    static constexpr auto threads = two;
    std::atomic<int> flag{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            flag.store(1, relaxed);
        } else {
            seen = flag.load(relaxed);
        }
    }
    void finish() const {
        assume(seen == 1);
        require(seen == 1);
    }
    [[nodiscard]] int outcome() const { return seen; }
};

// A thread waits in a loop for one that is blocked by its assumption.
struct a_loop_waits {
    static constexpr auto threads = two;
    std::atomic<int> flag{0};
    std::atomic<int> other{0};

    void run(int thread) {
        if (thread == 0) {
            other.store(1, relaxed);
            while (flag.load(acquire) == 0) std::this_thread::yield();
        } else {
            assume(other.load(relaxed) == 1);
            flag.store(1, release);
        }
    }
};

}  // namespace

ORDEAL_SCENARIO("programs/assume_flag", sees_the_flag);
ORDEAL_SCENARIO("programs/assume_others_wait", others_wait);
ORDEAL_SCENARIO("programs/assume_then_require", required_after<release, acquire>);
ORDEAL_SCENARIO("programs/assume_without_order",
                wrong<required_after<relaxed, relaxed>, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/assume_another_is_wrong", wrong<another_is_wrong, violation_kind::failed_requirement>);
ORDEAL_SCENARIO("programs/assume_deadlock_elsewhere", wrong<a_deadlock_elsewhere, violation_kind::deadlock>);
ORDEAL_SCENARIO("programs/assume_alike", alike);
ORDEAL_SCENARIO("programs/assume_at_the_end", at_the_end);
ORDEAL_SCENARIO("programs/assume_loop_waits", a_loop_waits);

}  // namespace ordeal::model_tests
