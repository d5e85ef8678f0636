// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace examples {

/// Threads that run what is submitted, in the order in which it came. It shuts down in one of two ways: its destructor
/// runs what was submitted; stop() drops what has not begun.
///
/// Thread safety: submit(), stop() and stopping() by any thread, tasks too; construction and destruction as of any
/// object. A task
///                must not destroy the pool.
/// Ordering:      what happened before submit() happens before the task; the task happens before the destructor
///                returns. What happened before stop() happens before stopping() returns true.
/// Errors:        a task that throws calls std::terminate. submit() throws std::bad_alloc, and nothing is submitted
///                then.
/// Source:        the monitor of C. Hoare, "Monitors: an operating system structuring concept" (1974), as it is mostly
///                written.
class thread_pool {
public:
    explicit thread_pool(std::size_t threads) {
        threads_.reserve(threads);
        try {
            for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
        } catch (...) {
            shut_down();
            throw;
        }
    }
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;
    ~thread_pool() { shut_down(); }

    /// False: the pool is stopping, and does not take it.
    bool submit(std::function<void()> task) {
        {
            const std::scoped_lock guard(mutex_);
            // order: relaxed: written under the mutex.
            if (stopping_.load(std::memory_order_relaxed)) return false;
            tasks_.push_back(std::move(task));
        }
        changed_.notify_one();
        return true;
    }

    /// Drops what has not begun; from now on nothing is taken.
    void stop() {
        std::deque<std::function<void()>>
            dropped;  // ends after the mutex is free: a task's destructor may call the pool
        {
            const std::scoped_lock guard(mutex_);
            // order: release -> stopping: what was done before.
            stopping_.store(true, std::memory_order_release);
            dropped.swap(tasks_);
        }
        changed_.notify_all();
    }

    /// For long tasks, which may end early then: whether stop() was called.
    [[nodiscard]] bool stopping() const noexcept {
        // order: acquire <- stop: what was done before.
        return stopping_.load(std::memory_order_acquire);
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            // order: relaxed: written under the mutex.
            changed_.wait(lock,
                          [this] { return !tasks_.empty() || ending_ || stopping_.load(std::memory_order_relaxed); });
            if (tasks_.empty()) return;
            {
                const std::function<void()> task = std::move(tasks_.front());
                tasks_.pop_front();
                lock.unlock();
                task();
            }
            lock.lock();
        }
    }

    void shut_down() {
        {
            const std::scoped_lock guard(mutex_);
            ending_ = true;
        }
        changed_.notify_all();
        for (std::thread& each : threads_) each.join();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;  // under the mutex
    bool ending_ = false;                      // under the mutex
    std::atomic<bool> stopping_{false};        // written under the mutex
    std::vector<std::thread> threads_;
};

}  // namespace examples
