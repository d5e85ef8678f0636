// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes that are made with semaphores, each with the violation that it must get.
#include "ordeal/coro/detached.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <coroutine>
#include <memory>
#include <mutex>

namespace examples {
namespace {

// release() comes between the counter and the queue, finds nobody there, and leaves nothing. One waiter.
class leaves_no_token {
public:
    struct awaiter {
        leaves_no_token& from;

        [[nodiscard]] bool await_ready() const { return from.count_.fetch_sub(1) > 0; }
        void await_suspend(std::coroutine_handle<> awaiting) const {
            const std::scoped_lock guard(from.mutex_);
            from.waiter_ = awaiting;
        }
        void await_resume() const {}
    };
    awaiter acquire() { return {*this}; }
    void release() {
        if (count_.fetch_add(1) >= 0) return;
        std::unique_lock lock(mutex_);
        if (!waiter_) return;
        lock.unlock();
        waiter_.resume();
    }

private:
    std::atomic<int> count_{0};
    std::mutex mutex_;
    std::coroutine_handle<> waiter_;
};

struct no_token_left {
    static constexpr auto about =
        "A release() overtakes the waiter on its way to the queue: the waiter is never resumed.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::leak);
    static constexpr auto threads = std::array{"producer", "consumer"};
    leaves_no_token filled;

    void run(int thread) {
        if (thread == 0) {
            filled.release();
        } else {
            consume();
        }
    }
    ordeal::detached consume() { co_await filled.acquire(); }
};
ORDEAL_SCENARIO("semaphore_mistakes/no_token_left", no_token_left);

// A semaphore for threads, as it is often written. release() is not over when acquire() is: sem_post of glibc had that
// error until 2.21 (bug 12674).
class notifies_after_the_count {
public:
    void acquire() {
        int seen = count_.load(std::memory_order_relaxed);
        do {
            while (seen == 0) {
                count_.wait(0, std::memory_order_relaxed);
                seen = count_.load(std::memory_order_relaxed);
            }
        } while (!count_.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire, std::memory_order_relaxed));
    }
    void release() {
        count_.fetch_add(1, std::memory_order_release);
        count_.notify_one();
    }

private:
    std::atomic<int> count_{0};
};

struct destroyed_by_the_waiter {
    static constexpr auto about = "Who acquired destroys the semaphore: release() has still to notify.";
    static constexpr bool exhibit = true;
    static constexpr auto expected = ordeal::violated(ordeal::violation_kind::notification_after_destruction);
    static constexpr auto threads = std::array{"waits", "releases"};
    std::unique_ptr<notifies_after_the_count> done = std::make_unique<notifies_after_the_count>();
    notifies_after_the_count* const known = done.get();

    void run(int thread) {
        if (thread == 0) {
            done->acquire();
            done.reset();
        } else {
            known->release();
        }
    }
};
ORDEAL_SCENARIO("semaphore_mistakes/destroyed_by_the_waiter", destroyed_by_the_waiter);

}  // namespace
}  // namespace examples
