// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <coroutine>
#include <mutex>
#include <utility>

namespace ordeal::broken {

/// The shared state of coro::awaitable_event with one bug: a waiter queues without looking again, under the lock,
/// whether the event has been set since await_ready. Nobody resumes it then.
template <atomic_policy P>
class awaitable_event {
public:
    class awaiter {
    public:
        explicit awaiter(awaitable_event& event) noexcept : event_(event) {}
        [[nodiscard]] bool await_ready() const noexcept { return event_.is_set(); }
        void await_suspend(std::coroutine_handle<> awaiting) noexcept {
            continuation_.write() = typename P::continuation(awaiting);
            event_.enqueue(*this);
        }
        void await_resume() const noexcept {}

    private:
        friend awaitable_event;
        awaitable_event& event_;
        typename P::template cell<awaiter*> next_{nullptr};
        typename P::template cell<typename P::continuation> continuation_{};
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

    [[nodiscard]] bool is_set() const noexcept {
        // order: acquire <- set, as in the production code.
        return set_.load(std::memory_order_acquire);
    }

    void set() noexcept {
        awaiter* waiter = nullptr;
        {
            const std::lock_guard lock(mutex_);
            // order: release -> is_set, as in the production code.
            set_.store(true, std::memory_order_release);
            waiter = std::exchange(first_.write(), nullptr);
        }
        while (waiter != nullptr) {
            awaiter* const next = waiter->next_.read();
            typename P::continuation continuation = waiter->continuation_.read();
            continuation.resume();
            waiter = next;
        }
    }

private:
    void enqueue(awaiter& waiter) noexcept {
        const std::lock_guard lock(mutex_);
        // The bug: `if (set_.load(...)) return false;` belongs here.
        waiter.next_.write() = std::exchange(first_.write(), &waiter);
    }

    typename P::template atomic<bool> set_{false};
    typename P::mutex mutex_;
    typename P::template cell<awaiter*> first_{nullptr};
};

}  // namespace ordeal::broken
