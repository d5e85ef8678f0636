// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>

namespace examples {

/// A lock for coroutines: who finds it taken suspends, and blocks no thread. One word, no allocation, nothing throws.
///
/// Thread safety: try_lock() and `co_await lock()` by any number of threads; unlock() by the coroutine that has the
/// lock, on
///                whatever thread it runs.
/// Resumption:    unlock() resumes the next owner on its own thread, before it returns. Waiters get the lock in the
///                order in which they came.
///                An owner that unlocks before it suspends resumes the next one inside its own: such calls nest.
/// Ordering:      what an owner did before unlock() happens before what the next owner does.
/// Lifetime:      an owner may destroy the mutex after its unlock() if nobody else wants it, even while the unlock()
///                that resumed this owner is still running.
/// Source:        L. Baker's async_mutex in cppcoro (2017); orders re-derived.
template <ordeal::atomic_policy P = ordeal::std_policy>
class coroutine_mutex {
public:
    class awaiter;

    coroutine_mutex() noexcept : state_(static_cast<void*>(this)) {}
    coroutine_mutex(const coroutine_mutex&) = delete;
    coroutine_mutex& operator=(const coroutine_mutex&) = delete;

    /// Takes the lock if it is free.
    [[nodiscard]] bool try_lock() noexcept {
        void* expected = this;
        // order: (success) acquire <- unlock: what the owner before did, and its queue_.
        // order: (failure) relaxed: the value seen is not used.
        return state_.compare_exchange_strong(expected, nullptr, std::memory_order_acquire, std::memory_order_relaxed);
    }

    /// `co_await mutex.lock()` completes when the coroutine has the lock.
    [[nodiscard]] awaiter lock() noexcept { return awaiter(*this); }

    /// Hands the lock to the oldest waiter, or frees it.
    void unlock() noexcept;

private:
    [[nodiscard]] bool lock_or_push(awaiter& waiter) noexcept;
    [[nodiscard]] awaiter* take_pushed() noexcept;

    // One word, three states: free = this | taken = 0 | pushed = pointer, to the newest waiter not in queue_ yet
    //
    //   from \ call | try_lock | await_suspend(w)              | unlock(), queue_ empty    | unlock(), queue_ not empty
    //   ------------+----------+-------------------------------+---------------------------+---------------------------
    //   free        | taken    | taken, does not suspend       | -                         | -
    //   taken       | false    | pushed(w), suspends           | free                      | taken, resumes the oldest
    //   pushed(v)   | false    | pushed(w), w.next = v; the    | taken, all to queue_,     | pushed(v), resumes the
    //               |          | same                          | resumes the oldest        | oldest of queue_
    typename P::template atomic<void*> state_;
    typename P::template cell<awaiter*> queue_{nullptr};  // the owner's: waiters, oldest first
};

/// What `co_await mutex.lock()` works on; the waiter, in the frame of the coroutine.
template <ordeal::atomic_policy P>
class coroutine_mutex<P>::awaiter {
public:
    [[nodiscard]] bool await_ready() const noexcept { return mutex_.try_lock(); }

    // Lifetime: once the waiter is pushed, an unlock() may resume the coroutine, and *this be gone.
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        continuation_.write() = typename P::continuation(awaiting);
        return mutex_.lock_or_push(*this);
    }
    void await_resume() const noexcept {}

private:
    friend coroutine_mutex;
    explicit awaiter(coroutine_mutex& mutex) noexcept : mutex_(mutex) {}

    coroutine_mutex& mutex_;
    typename P::template cell<awaiter*> next_{nullptr};
    typename P::template cell<typename P::continuation> continuation_{};
};

// True: pushed. False: the lock was free, and is taken.
template <ordeal::atomic_policy P>
bool coroutine_mutex<P>::lock_or_push(awaiter& waiter) noexcept {
    // order: relaxed: a guess; the exchanges below decide.
    void* seen = state_.load(std::memory_order_relaxed);
    for (;;) {
        if (seen == this) {
            // order: (success) acquire <- unlock: as in try_lock.
            // order: (failure) relaxed: the next guess.
            if (state_.compare_exchange_weak(seen, nullptr, std::memory_order_acquire, std::memory_order_relaxed)) {
                return false;
            }
        } else {
            waiter.next_.write() = static_cast<awaiter*>(seen);
            // order: (success) release -> take_pushed: next_, continuation_ and the suspended frame.
            // order: (failure) relaxed: the next guess.
            if (state_.compare_exchange_weak(seen, &waiter, std::memory_order_release, std::memory_order_relaxed)) {
                return true;
            }
        }
    }
}

// Some were pushed: all of them, oldest first.
template <ordeal::atomic_policy P>
auto coroutine_mutex<P>::take_pushed() noexcept -> awaiter* {
    // order: acquire <- lock_or_push (success): next_, continuation_ and the frames of all that were pushed.
    auto* newest = static_cast<awaiter*>(state_.exchange(nullptr, std::memory_order_acquire));
    awaiter* oldest = nullptr;
    while (newest != nullptr) {
        awaiter* const next = newest->next_.read();
        newest->next_.write() = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

template <ordeal::atomic_policy P>
void coroutine_mutex<P>::unlock() noexcept {
    awaiter* waiter = queue_.read();
    if (waiter == nullptr) {
        void* expected = nullptr;
        // order: (success) release -> try_lock, lock_or_push: what this owner did, and queue_. *this may be gone now.
        // order: (failure) relaxed: take_pushed() acquires.
        if (state_.compare_exchange_strong(expected, static_cast<void*>(this), std::memory_order_release,
                                           std::memory_order_relaxed)) {
            return;
        }
        waiter = take_pushed();
    }
    queue_.write() = waiter->next_.read();
    typename P::continuation continuation = waiter->continuation_.read();
    continuation.resume();  // may destroy *waiter and *this
}

}  // namespace examples
