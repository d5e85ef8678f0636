// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <coroutine>

namespace ordeal::exhibits {

/// A coroutine queued on an event; it stands in the coroutine's frame.
template <atomic_policy P>
struct queued_waiter {
    typename P::template cell<queued_waiter*> next{nullptr};
    typename P::template cell<typename P::continuation> continuation{};
};

/// The lock-free manual-reset event in one word, but for reset(): idle = nullptr | the newest waiter | set = the
/// event's own address. A derived class, `Event`, adds reset() or puts its own set() or push() in the place of these.
///
/// Source: L. Baker, "Understanding operator co_await" (2017).
template <atomic_policy P, class Event>
class queue_event {  // NOLINT(bugprone-crtp-constructor-accessibility): designs are made by name
public:
    using waiter = queued_waiter<P>;

    class awaiter {
    public:
        explicit awaiter(Event& event) noexcept : event_(event) {}
        [[nodiscard]] bool await_ready() const noexcept { return event_.is_set(); }
        // Lifetime: once pushed the coroutine may go on elsewhere and destroy *this.
        [[nodiscard]] bool await_suspend(std::coroutine_handle<> self) noexcept {
            waiter_.continuation.write() = typename P::continuation(self);
            return event_.push(waiter_);
        }
        void await_resume() const noexcept {}

    private:
        Event& event_;
        waiter waiter_;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(static_cast<Event&>(*this)); }

    [[nodiscard]] bool is_set() const noexcept {
        // order: acquire <- set: what was written before set(), for an awaiter that does not suspend.
        return state_.load(std::memory_order_acquire) == this;
    }

    void set() noexcept {
        // order: release -> is_set, push: what was written before set(). acquire <- push: the queued waiters.
        void* const old = state_.exchange(this, std::memory_order_acq_rel);
        if (old == this) return;
        for (auto* each = static_cast<waiter*>(old); each != nullptr;) {
            waiter* const next = each->next.read();
            typename P::continuation continuation = each->continuation.read();
            continuation.resume();  // may destroy *each and *this
            each = next;
        }
    }

    bool push(waiter& newest) noexcept {
        // order: acquire <- set: as is_set, when the event has been set since.
        void* seen = state_.load(std::memory_order_acquire);
        do {
            if (seen == this) return false;
            newest.next.write() = static_cast<waiter*>(seen);
            // order: (success) release -> set: the waiter and the suspended frame.
            // order: (failure) acquire <- set: as the load above.
        } while (!state_.compare_exchange_weak(seen, &newest, std::memory_order_release, std::memory_order_acquire));
        return true;
    }

protected:
    typename P::template atomic<void*> state_{nullptr};
};

}  // namespace ordeal::exhibits
