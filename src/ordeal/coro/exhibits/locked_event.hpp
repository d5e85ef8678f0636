// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <coroutine>
#include <mutex>
#include <vector>

namespace ordeal::exhibits {

/// An event behind a lock, its waiters in a vector, and a flag that an awaiter reads before it takes the lock. What the
/// flag is made of is the question.
///
/// Source: R. Chen, "Creating a co_await awaitable signal that can be awaited multiple times, part 3" (2021). The
/// shared handle around it is left out: it is not on trial here.
template <atomic_policy P, class Flag>
class locked_event {
public:
    class awaiter {
    public:
        explicit awaiter(locked_event& event) noexcept : event_(event) {}
        [[nodiscard]] bool await_ready() const noexcept { return event_.flag_.raised(); }
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> self) { return event_.enqueue(self); }
        void await_resume() const noexcept {}

    private:
        locked_event& event_;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

    void set() {
        continuations ready;
        {
            const std::lock_guard lock(mutex_);
            flag_.raise();
            ready.swap(waiting_.write());
        }
        for (typename P::continuation& each : ready) each.resume();
    }

private:
    using continuations = std::vector<typename P::continuation>;

    // Throws std::bad_alloc when the vector cannot grow; the coroutine then goes on with that exception.
    bool enqueue(std::coroutine_handle<> self) {
        typename P::continuation suspended(self);
        const std::lock_guard lock(mutex_);
        if (flag_.raised_under_lock()) return false;
        waiting_.write().push_back(suspended);
        return true;
    }

    Flag flag_;
    typename P::mutex mutex_;
    typename P::template cell<continuations> waiting_{};
};

/// Leaves out the ready check, so that the awaiter takes the lock.
template <class Event>
class past_ready_check {
public:
    explicit past_ready_check(Event& event) noexcept : inner_(event.operator co_await()) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> self) { return inner_.await_suspend(self); }
    void await_resume() const noexcept {}

private:
    typename Event::awaiter inner_;
};

}  // namespace ordeal::exhibits
