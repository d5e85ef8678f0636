// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>

namespace ordeal::coro {

/// An event that coroutines await: once set it stays set, and lets every awaiter through, until it is reset.
///
/// One word, no lock, no allocation, nothing throws. A waiter lives in the awaiting coroutine's frame.
///
/// Thread safety: set(), reset(), is_set() and co_await may be called concurrently, by any number of threads.
/// Resumption:    set() resumes the waiters on its own thread before it returns, the newest first.
/// Ordering:      what happened before set() happens before co_await completes, whether it suspended or not, and
///                before is_set() returns true. reset() orders nothing: in particular, is_set() returning false
///                does not mean that what its resetter did before is visible.
/// Lifetime:      a resumed waiter may destroy the event, even while the set() that resumed it is still running.
///                Destroying it while a coroutine is queued loses that coroutine.
/// Source:        the design published by L. Baker, "Understanding operator co_await" (2017); orders re-derived.
template <atomic_policy P = std_policy>
class manual_reset_event {
public:
    class awaiter;
    /// An event without waiters; not set, unless that is asked for.
    explicit manual_reset_event(bool initially_set = false) noexcept
        : state_(initially_set ? static_cast<void*>(this) : nullptr) {}

    manual_reset_event(const manual_reset_event&) = delete;
    manual_reset_event& operator=(const manual_reset_event&) = delete;

    /// Whether the event is set. True is also a promise: what happened before that set() is visible.
    [[nodiscard]] bool is_set() const noexcept;

    /// Sets the event and resumes every queued waiter, newest first, before returning. The event may be gone when
    /// the first of them has been resumed.
    void set() noexcept;

    /// Makes a set event not set; leaves an event that is not set, and its waiters, alone.
    void reset() noexcept;

    /// Suspends until the event is set; does not suspend if it is.
    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

private:
    bool push(awaiter& waiter) noexcept;

    // One word, three states: idle = 0 | queued = pointer, to the newest waiter | set = this
    //
    //   from \ call | set()                      | reset() | await_suspend(w)
    //   ------------+----------------------------+---------+-------------------------------
    //   idle        | set                        | idle    | queued(w), suspends
    //   queued(v)   | set; resumes v .. oldest   | same    | queued(w), w.next = v, suspends
    //   set         | set                        | idle    | set, does not suspend
    //
    // A waiter is read for the last time before it is resumed: resuming may destroy it, and the event too.
    typename P::template atomic<void*> state_;
};

/// What `co_await event` works on; it is the waiter, and stands in the awaiting coroutine's frame.
template <atomic_policy P>
class manual_reset_event<P>::awaiter {
public:
    [[nodiscard]] bool await_ready() const noexcept { return event_.is_set(); }

    /// Queues the coroutine, or returns false when the event has been set meanwhile.
    // Lifetime: once push() has published the waiter, another thread may resume the coroutine and destroy it, the
    // awaiter with it. Nothing here may touch *this after that.
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        continuation_.write() = typename P::continuation(awaiting);
        return event_.push(*this);
    }

    void await_resume() const noexcept {}

private:
    friend manual_reset_event;
    explicit awaiter(manual_reset_event& event) noexcept : event_(event) {}

    manual_reset_event& event_;
    typename P::template cell<awaiter*> next_{nullptr};
    typename P::template cell<typename P::continuation> continuation_{};
};

template <atomic_policy P>
bool manual_reset_event<P>::is_set() const noexcept {
    // order: acquire <- set: an awaiter that does not suspend sees what was written before set(). Relaxed, its reads
    //        of that data are a race.
    return state_.load(std::memory_order_acquire) == this;
}

template <atomic_policy P>
bool manual_reset_event<P>::push(awaiter& waiter) noexcept {
    // order: acquire <- set: an event set between await_ready and here lets the awaiter go on, and it must then see
    //        what was written before set(). A queue head needs nothing: it is only compared and linked.
    void* seen = state_.load(std::memory_order_acquire);
    do {
        if (seen == this) return false;
        waiter.next_.write() = static_cast<awaiter*>(seen);
        // order: (success) release -> set: next_, continuation_ and the suspended frame, which the setter reads and
        //        resumes. It acquires nothing: the older waiters are for the setter, and a release sequence carries
        //        them there.
        // order: (failure) acquire <- set: as the load above, when set() comes in between.
    } while (!state_.compare_exchange_weak(seen, &waiter, std::memory_order_release, std::memory_order_acquire));
    return true;
}

template <atomic_policy P>
void manual_reset_event<P>::set() noexcept {
    // order: release -> is_set, push (load, failure): what was written before set() reaches an awaiter that does not
    //        suspend.
    //        acquire <- push (success): next_, continuation_ and the frame of every queued waiter.
    void* const old = state_.exchange(this, std::memory_order_acq_rel);
    if (old == this) return;
    for (auto* waiter = static_cast<awaiter*>(old); waiter != nullptr;) {
        awaiter* const next = waiter->next_.read();
        typename P::continuation continuation = waiter->continuation_.read();
        continuation.resume();  // may destroy *waiter and *this
        waiter = next;
    }
}

template <atomic_policy P>
void manual_reset_event<P>::reset() noexcept {
    void* expected = this;
    // order: (success) relaxed: nothing is handed over. A waiter that queues afterwards is published by its own push
    //        and the next set(). As a read-modify-write it keeps the release sequence of earlier pushes and sets whole.
    // order: (failure) relaxed: the value seen is not used.
    state_.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed, std::memory_order_relaxed);
}

}  // namespace ordeal::coro
