// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made when a pool shuts down, each with the violation that it must get. One worker.
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace examples {
namespace {

// "The flag is atomic, so it needs no lock": it is set between a worker's look at it and its wait.
class flag_without_lock {
public:
    flag_without_lock() = default;
    flag_without_lock(const flag_without_lock&) = delete;
    flag_without_lock& operator=(const flag_without_lock&) = delete;
    ~flag_without_lock() {
        ending_.store(true);
        changed_.notify_all();
        worker_.join();
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        while (!ending_.load()) changed_.wait(lock);
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> ending_{false};
    std::thread worker_{[this] { work(); }};
};

// The thread is the first member: it runs before the others are there, and the flag is set to false after it was looked
// at.
class thread_before_data {
public:
    thread_before_data() = default;
    thread_before_data(const thread_before_data&) = delete;
    thread_before_data& operator=(const thread_before_data&) = delete;
    ~thread_before_data() { worker_.join(); }

private:
    void work() { ++done_; }

    std::thread worker_{[this] { work(); }};
    int done_ = 0;
};

// The destructor lets the thread go: it works on with what is gone.
class detaches {
public:
    detaches() { worker_.detach(); }
    detaches(const detaches&) = delete;
    detaches& operator=(const detaches&) = delete;
    ~detaches() { ending_.store(true); }

private:
    void work() {
        while (!ending_.load()) std::this_thread::yield();
    }

    std::atomic<bool> ending_{false};
    std::thread worker_{[this] { work(); }};
};

template <class Pool>
struct begins_and_ends {
    static constexpr bool exhibit = true;
    static constexpr auto threads = std::array{"main"};

    void run(int /*thread*/) { const Pool pool; }
};

struct unlocked_flag : begins_and_ends<flag_without_lock> {
    static constexpr auto about = "The flag is set without the lock: the worker sleeps through the notification.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::deadlock);
};
ORDEAL_SCENARIO("thread_pool_mistakes/unlocked_flag", unlocked_flag);

struct early_thread : begins_and_ends<thread_before_data> {
    static constexpr auto about = "A thread that is a member before the data that it uses.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::data_race);
};
ORDEAL_SCENARIO("thread_pool_mistakes/early_thread", early_thread);

struct detached_worker : begins_and_ends<detaches> {
    static constexpr auto about = "A worker that is not joined outlives its pool.";
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::use_after_scope);
};
ORDEAL_SCENARIO("thread_pool_mistakes/detached_worker", detached_worker);

}  // namespace
}  // namespace examples
