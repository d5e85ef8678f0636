// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <mutex>

namespace examples {

/// A counting semaphore that coroutines await: who finds no token suspends, and blocks no thread. One atomic operation
/// while there are tokens; a lock only where somebody waits. No allocation.
///
/// Thread safety: release() and `co_await acquire()` by any number of threads.
/// Resumption:    release() resumes the waiter that gets its token on its own thread, before it returns; waiters in the
///                order in which they came.
/// Ordering:      what happened before release() happens before the acquire() that takes its token, and with more than
///                one token before every acquire() that takes a later one.
/// Lifetime:      it must not be destroyed before every release() has returned.
/// Source:        the counter before the lock is the "benaphore" of B. Schillings (Be Newsletter, 1996); the queue of
///                coroutines in place of a kernel's semaphore is ours.
template <ordeal::atomic_policy P = ordeal::std_policy>
class semaphore {
public:
    class awaiter;

    /// With so many tokens; at most 2^31 - 1 ever.
    explicit semaphore(std::uint32_t tokens) noexcept : count_(tokens) {}
    semaphore(const semaphore&) = delete;
    semaphore& operator=(const semaphore&) = delete;

    /// `co_await semaphore.acquire()` completes when it has taken a token.
    [[nodiscard]] awaiter acquire() noexcept { return awaiter(*this); }

    /// Adds a token.
    void release();

private:
    [[nodiscard]] bool push(awaiter& waiter);
    [[nodiscard]] static bool negative(std::uint32_t count) noexcept { return (count >> 31U) != 0; }

    // Tokens; below zero, in two's complement: how many came and found none.
    typename P::template atomic<std::uint32_t> count_;
    // Of those who found none: who waits. A release() may come before who it is for has reached the queue; it leaves
    // the token.
    typename P::mutex mutex_;
    typename P::template cell<awaiter*> oldest_{nullptr};
    typename P::template cell<awaiter*> newest_{nullptr};
    typename P::template cell<std::uint32_t> left_{0U};
};

/// What `co_await semaphore.acquire()` works on; the waiter, in the frame of the coroutine.
template <ordeal::atomic_policy P>
class semaphore<P>::awaiter {
public:
    [[nodiscard]] bool await_ready() const noexcept {
        // order: acquire <- release: what was done before the token came.
        const std::uint32_t before = semaphore_.count_.fetch_sub(1, std::memory_order_acquire);
        return before != 0 && !negative(before);
    }

    // Lifetime: once the waiter is in the queue, a release() may resume the coroutine, and *this be gone.
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) {
        continuation_.write() = typename P::continuation(awaiting);
        return semaphore_.push(*this);
    }
    void await_resume() const noexcept {}

private:
    friend semaphore;
    explicit awaiter(semaphore& from) noexcept : semaphore_(from) {}

    semaphore& semaphore_;
    typename P::template cell<awaiter*> next_{nullptr};
    typename P::template cell<typename P::continuation> continuation_{};
};

// False: a token was left here meanwhile.
template <ordeal::atomic_policy P>
bool semaphore<P>::push(awaiter& waiter) {
    const std::scoped_lock guard(mutex_);
    if (left_.read() > 0) {
        --left_.write();
        return false;
    }
    (oldest_.read() == nullptr ? oldest_ : newest_.read()->next_).write() = &waiter;
    newest_.write() = &waiter;
    return true;
}

template <ordeal::atomic_policy P>
void semaphore<P>::release() {
    // order: release -> acquire: what was done before the token came.
    if (!negative(count_.fetch_add(1, std::memory_order_release))) return;
    typename P::continuation continuation;
    {
        const std::scoped_lock guard(mutex_);
        awaiter* const waiter = oldest_.read();
        if (waiter == nullptr) {
            ++left_.write();
            return;
        }
        oldest_.write() = waiter->next_.read();
        continuation = waiter->continuation_.read();
    }
    continuation.resume();
}

}  // namespace examples
