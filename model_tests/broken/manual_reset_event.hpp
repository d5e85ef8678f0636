// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <coroutine>

namespace ordeal::broken {

/// coro::manual_reset_event with one bug: set() reads a waiter's `next_` after it has resumed that waiter, whose frame
/// may be gone by then.
template <atomic_policy P>
class manual_reset_event {
public:
    class awaiter {
    public:
        explicit awaiter(manual_reset_event& event) noexcept : event_(event) {}
        [[nodiscard]] bool await_ready() const noexcept { return event_.is_set(); }
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
            continuation_.write() = typename P::continuation(awaiting);
            return event_.push(*this);
        }
        void await_resume() const noexcept {}

    private:
        friend manual_reset_event;
        manual_reset_event& event_;
        typename P::template cell<awaiter*> next_{nullptr};
        typename P::template cell<typename P::continuation> continuation_{};
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

    [[nodiscard]] bool is_set() const noexcept {
        // order: acquire <- set, as in the production code.
        return state_.load(std::memory_order_acquire) == this;
    }

    void set() noexcept {
        // order: acq_rel, as in the production code.
        void* const old = state_.exchange(this, std::memory_order_acq_rel);
        if (old == this) return;
        for (auto* waiter = static_cast<awaiter*>(old); waiter != nullptr; waiter = waiter->next_.read()) {  // the bug
            typename P::continuation continuation = waiter->continuation_.read();
            continuation.resume();
        }
    }

private:
    bool push(awaiter& waiter) noexcept {
        // order: acquire <- set, as in the production code.
        void* seen = state_.load(std::memory_order_acquire);
        do {
            if (seen == this) return false;
            waiter.next_.write() = static_cast<awaiter*>(seen);
            // order: release -> set, acquire <- set, as in the production code.
        } while (!state_.compare_exchange_weak(seen, &waiter, std::memory_order_release, std::memory_order_acquire));
        return true;
    }

    typename P::template atomic<void*> state_{nullptr};
};

}  // namespace ordeal::broken
