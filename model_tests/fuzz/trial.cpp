// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine over the standard library, as code on trial; compiled once for each level of optimisation.
#include "model_tests/fuzz/machine.hpp"

#include "ordeal/scenario/scenario.hpp"

#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>

namespace ordeal::model_tests::fuzz {

namespace {

using namespace std::chrono_literals;

class waits_and_locks {
public:
    template <class Holdings>
    void take_shared_mutex(operation what, int& result, Holdings& held) {
        switch (what) {
            case operation::lock_shared:
                shared_.lock_shared();
                held.shared = true;
                break;
            case operation::try_lock_shared:
                held.shared = shared_.try_lock_shared();
                result = held.shared ? 1 : 0;
                break;
            case operation::lock_exclusive:
                shared_.lock();
                held.exclusive = true;
                break;
            default: held.exclusive = shared_.try_lock(); result = held.exclusive ? 1 : 0;
        }
    }
    void unlock_shared() { shared_.unlock_shared(); }
    void unlock_exclusive() { shared_.unlock(); }

    void condition_wait(const instruction& each, std::mutex& mutex, const int& cell, int& result) {
        std::unique_lock lock(mutex, std::adopt_lock);
        switch (each.what) {
            case operation::condition_wait: condition_.wait(lock); break;
            case operation::condition_wait_for:
                result = condition_.wait_for(lock, 1s) == std::cv_status::timeout ? 1 : 0;
                break;
            default: condition_.wait(lock, [&] { return cell == each.value; });
        }
        lock.release();
    }

    void perform(operation what, int& result) {
        switch (what) {
            case operation::condition_notify_one: condition_.notify_one(); break;
            case operation::condition_notify_all: condition_.notify_all(); break;
            case operation::acquire: semaphore_.acquire(); break;
            case operation::try_acquire: result = semaphore_.try_acquire() ? 1 : 0; break;
            case operation::try_acquire_for: result = semaphore_.try_acquire_for(1s) ? 1 : 0; break;
            case operation::release: semaphore_.release(); break;
            case operation::count_down: latch_.count_down(); break;
            case operation::await_count: latch_.wait(); break;
            default: result = latch_.try_wait() ? 1 : 0;
        }
    }

private:
    std::shared_mutex shared_;
    std::condition_variable condition_;
    std::counting_semaphore<> semaphore_{0};
    std::latch latch_{latch_count};
};

struct standard_types {
    using atomic = std::atomic<int>;
    struct cell {
        int value = 0;
        operator const int&() const { return value; }  // NOLINT: implicit, as a plain int
    };
    using mutex = std::mutex;
    using others = waits_and_locks;
    static constexpr bool has_others = true;

    static int load(const atomic& from, std::memory_order how) { return from.load(how); }
    static void store(atomic& to, int value, std::memory_order how) { to.store(value, how); }
    static int exchange(atomic& with, int value, std::memory_order how) { return with.exchange(value, how); }
    static int fetch_add(atomic& to, int value, std::memory_order how) { return to.fetch_add(value, how); }
    static bool compare_exchange(atomic& with, int& expected, int desired, std::memory_order success,
                                 std::memory_order failure) {
        return with.compare_exchange_strong(expected, desired, success, failure);
    }
    static bool compare_exchange_weak(atomic& with, int& expected, int desired, std::memory_order success,
                                      std::memory_order failure) {
        return with.compare_exchange_weak(expected, desired, success, failure);
    }
    static void wait(const atomic& on, int old, std::memory_order how) { on.wait(old, how); }
    static void fence(std::memory_order how) { std::atomic_thread_fence(how); }
    static int read(const cell& from) { return from.value; }
    static void write(cell& to, int value) { to.value = value; }
};

// As many threads as it has in a program is said when it is searched.
struct program_over_the_standard_library : machine<standard_types> {
    static constexpr std::array threads{"0", "1", "2"};
};

ORDEAL_SCENARIO(ORDEAL_FUZZ_SCENARIO, program_over_the_standard_library);

}  // namespace

}  // namespace ordeal::model_tests::fuzz
