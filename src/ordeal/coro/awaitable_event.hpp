// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <mutex>
#include <utility>

namespace ordeal::coro {

/// A copyable handle onto a shared event behind a lock: all copies mean the same event.
///
/// Awaiting allocates nothing: the waiter stands in the awaiting coroutine's frame. Only the constructor allocates,
/// the one block that the copies share, and only it can throw (std::bad_alloc). The block lives as long as a copy
/// or a suspended coroutine needs it.
///
/// Thread safety: set(), reset(), is_set() and co_await may be called concurrently, through one copy or several.
///                Copying and destroying one and the same handle object is as unsafe as for any object.
/// Resumption:    set() resumes the waiters on its own thread, outside the lock, before it returns, the oldest first.
/// Ordering:      what happened before set() happens before co_await completes, whether it suspended or not, and
///                before is_set() returns true.
/// Lifetime:      a coroutine that has got through co_await, or seen is_set(), may destroy the handle that set() was
///                called on, even while that set() is still running.
/// A moved-from handle may only be destroyed or assigned to.
/// Source:        the interface of R. Chen, "Creating a co_await awaitable signal that can be awaited multiple times,
///                part 3" (2021); its two open problems, allocation and exceptions on suspension, do not arise here.
template <atomic_policy P = std_policy>
class awaitable_event {
    class shared_state;
    class reference;

public:
    class awaiter;

    awaitable_event() : state_(new shared_state) {}

    /// Sets the event and resumes every waiter, oldest first, before returning.
    // Lifetime: a coroutine that finds the event set takes no lock and may drop every handle, this one too, while set()
    // still holds the lock; so set() holds a reference of its own.
    void set() const noexcept {
        const reference keep(state_);
        keep->set();
    }

    /// Makes a set event not set.
    void reset() const noexcept { state_->reset(); }

    /// Whether the event is set. True is also a promise: what happened before that set() is visible.
    [[nodiscard]] bool is_set() const noexcept { return state_->is_set(); }

    /// Suspends until the event is set; does not suspend if it is.
    [[nodiscard]] awaiter operator co_await() const noexcept { return awaiter(state_); }

private:
    reference state_;
};

/// What `co_await event` works on: the waiter, in the awaiting coroutine's frame, holding the shared block alive.
template <atomic_policy P>
class awaitable_event<P>::awaiter {
public:
    [[nodiscard]] bool await_ready() const noexcept { return state_->is_set(); }

    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        continuation_.write() = typename P::continuation(awaiting);
        return state_->enqueue(*this);  // once queued, *this may be gone
    }

    void await_resume() const noexcept {}

private:
    friend awaitable_event;
    friend shared_state;
    explicit awaiter(const reference& state) noexcept : state_(state) {}

    reference state_;
    typename P::template cell<awaiter*> next_{nullptr};
    typename P::template cell<typename P::continuation> continuation_{};
};

template <atomic_policy P>
class awaitable_event<P>::shared_state {
public:
    [[nodiscard]] bool is_set() const noexcept {
        // order: acquire <- set: an awaiter that finds the event set takes no lock, so this is all that orders what
        //        was written before set() before its reads.
        return set_.load(std::memory_order_acquire);
    }

    void set() noexcept {
        awaiter* waiter = nullptr;
        {
            const std::lock_guard lock(mutex_);
            // order: release -> is_set: what was written before set() reaches an awaiter that takes no lock.
            set_.store(true, std::memory_order_release);
            waiter = std::exchange(first_.write(), nullptr);
            last_.write() = nullptr;
        }
        // Lifetime: resuming may destroy the waiter, the handle set() was called on, and the shared block.
        while (waiter != nullptr) {
            awaiter* const next = waiter->next_.read();
            typename P::continuation continuation = waiter->continuation_.read();
            continuation.resume();
            waiter = next;
        }
    }

    void reset() noexcept {
        const std::lock_guard lock(mutex_);
        // order: relaxed: nothing is handed over; the lock orders it against set() and enqueue().
        set_.store(false, std::memory_order_relaxed);
    }

    // Lifetime: when the lock is released the waiter is published: the coroutine may be resumed elsewhere and destroy
    // the awaiter, and with it the last reference to this block. Nothing here is touched after that.
    [[nodiscard]] bool enqueue(awaiter& waiter) noexcept {
        const std::lock_guard lock(mutex_);
        // order: relaxed: set() and reset() write it under the same lock.
        if (set_.load(std::memory_order_relaxed)) return false;
        awaiter* const last = last_.read();
        (last != nullptr ? last->next_ : first_).write() = &waiter;
        last_.write() = &waiter;
        return true;
    }

    void acquire_reference() noexcept {
        // order: relaxed: who copies a reference already holds one, so the count cannot fall to zero meanwhile.
        references_.fetch_add(1, std::memory_order_relaxed);
    }

    void release_reference() noexcept {
        // order: release -> the fence below, in the thread that drops the last reference: all uses of the block come
        //        before it is freed.
        if (references_.fetch_sub(1, std::memory_order_release) != 1) return;
        // order: acquire fence <- the decrements of all the others.
        P::acquire_fence(references_);
        delete this;
    }

private:
    typename P::template atomic<std::uint32_t> references_{1};
    typename P::template atomic<bool> set_{false};
    typename P::mutex mutex_;
    // The queue, oldest first; guarded by mutex_.
    typename P::template cell<awaiter*> first_{nullptr};
    typename P::template cell<awaiter*> last_{nullptr};
};

// One counted reference to the shared block.
template <atomic_policy P>
class awaitable_event<P>::reference {
public:
    explicit reference(shared_state* adopted) noexcept : state_(adopted) {}
    reference(const reference& other) noexcept : state_(other.state_) { state_->acquire_reference(); }
    reference(reference&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    reference& operator=(reference other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~reference() {
        if (state_ != nullptr) state_->release_reference();
    }

    shared_state* operator->() const noexcept { return state_; }

private:
    shared_state* state_;
};

}  // namespace ordeal::coro
