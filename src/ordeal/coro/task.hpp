// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/task_result.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <cassert>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace ordeal::coro {

namespace detail {

// The word that a coroutine and the owner of its task share. It decides who resumes and who frees, so that no
// reference count is needed.
//
//   running    the coroutine has not ended and nobody waits for it
//   awaiting   the address of the one coroutine that waits
//   completed  the coroutine stands at its final suspension; its result may be read
//   abandoned  the owner is gone; the coroutine frees itself when it ends
//
//   from \ call | ready() | register_awaiter(w)         | complete()            | abandon()
//   ------------+---------+-----------------------------+-----------------------+--------------------
//   running     | false   | awaiting(w), suspends       | completed             | abandoned
//   awaiting(w) | -       | -                           | completed; resumes w  | abandoned
//   completed   | true    | completed, does not suspend | -                     | abandoned; frees
//   abandoned   | -       | -                           | completed; frees      | -
//
// The owner calls ready, register_awaiter and abandon, one at a time; the coroutine calls complete, once. `awaiting`
// meets `abandon` when an awaiting coroutine is destroyed while it is suspended. That is why registering must not
// hide `completed`: abandon has to tell a coroutine that still runs from one that has ended.
template <atomic_policy P>
class task_state {
public:
    using continuation = typename P::continuation;

    [[nodiscard]] bool ready() const noexcept {
        // order: acquire <- complete: the result, read by an awaiter that does not suspend.
        const std::uintptr_t state = state_.load(std::memory_order_acquire);
        assert((state == running || state == completed) && "one awaiter at a time");
        return state == completed;
    }

    /// Returns false when the coroutine has completed: `awaiting` must not suspend then.
    // Lifetime: after the exchange the awaiting coroutine may be resumed, and *this be gone, unless it returned
    // `completed`.
    [[nodiscard]] bool register_awaiter(continuation awaiting) noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(awaiting.address());
        // order: release -> complete: the suspended frame of the awaiting coroutine, which complete() resumes.
        //        acquire <- complete: the result, if the coroutine completed since ready() looked.
        const std::uintptr_t old = state_.exchange(address, std::memory_order_acq_rel);
        assert((old == running || old == completed) && "one awaiter at a time");
        if (old == running) return true;
        // order: relaxed: the coroutine has made its last access to the word; abandon(), by the same owner, comes next.
        state_.store(completed, std::memory_order_relaxed);
        return false;
    }

    /// Ends `self`, a coroutine standing at its final suspension; returns the coroutine to go on with.
    // Lifetime: after the exchange the owner may free the frame, and *this with it, unless it returned `abandoned`.
    [[nodiscard]] std::coroutine_handle<> complete(continuation self) noexcept {
        // order: release -> ready, register_awaiter, abandon: the result, and the frame at its final suspension, which
        //        the owner frees.
        //        acquire <- register_awaiter: the frame of the awaiting coroutine, about to be resumed; and
        //        <- abandon: the owner's last use of the frame, about to be freed.
        const std::uintptr_t old = state_.exchange(completed, std::memory_order_acq_rel);
        if (old == running) return std::noop_coroutine();
        if (old == abandoned) {
            self.destroy();
            return std::noop_coroutine();
        }
        return P::transfer(continuation::from_address(reinterpret_cast<void*>(old)));
    }

    /// Gives the coroutine up. Returns true when it has completed: the caller must then free its frame.
    // Lifetime: unless it returned true the coroutine may end and free itself, *this with it.
    [[nodiscard]] bool abandon() noexcept {
        // order: release -> complete: the owner's use of the word, ordered before the coroutine frees the frame.
        //        acquire <- complete: the frame at its final suspension, about to be freed here.
        return state_.exchange(abandoned, std::memory_order_acq_rel) == completed;
    }

private:
    // The states: running = 0 | completed = 1 | abandoned = 2 | awaiting = pointer, to a frame: aligned to more than two.
    static constexpr std::uintptr_t running = 0;
    static constexpr std::uintptr_t completed = 1;
    static constexpr std::uintptr_t abandoned = 2;

    typename P::template atomic<std::uintptr_t> state_{running};
};

template <class T, atomic_policy P>
class task_promise;

template <class T, atomic_policy P>
class task_promise_base : public promise_storage<T, P, task_state<P>> {
public:
    struct final_awaiter {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<task_promise<T, P>> self) const noexcept {
            return self.promise().state().complete(typename P::continuation(self));
        }
        void await_resume() const noexcept {}
    };

    [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }

    // Lifetime: may free the frame, *this with it; the caller gives up the promise.
    void abandon() noexcept {
        if (!state().abandon()) return;
        auto self = std::coroutine_handle<task_promise<T, P>>::from_promise(static_cast<task_promise<T, P>&>(*this));
        P::continuation::from_address(self.address()).destroy();
    }

    [[nodiscard]] task_state<P>& state() noexcept { return this->word_; }
};

}  // namespace detail

/// A coroutine that runs from the moment it is called, and whose result one awaiter takes.
///
/// T is a value (move-only too), a reference or void. An exception that leaves the coroutine leaves the co_await.
/// There is no reference count: one state word, in the frame, tells the coroutine and the owner who frees it.
///
/// Thread safety: one owner: is_ready(), co_await, move and destruction must not be called concurrently with one
///                another. The coroutine itself may run and complete on any thread meanwhile.
/// Resumption:    the awaiting coroutine is resumed by symmetric transfer, on the thread where the task completes;
///                a chain of tasks takes constant stack in an optimised build.
/// Ordering:      what the coroutine did happens before co_await completes, and before is_ready() returns true.
/// Lifetime:      `co_await std::move(t)` takes the coroutine over from t and frees its frame at the end of the full
///                expression. Destroying a task whose coroutine has not ended abandons it: the coroutine goes on and
///                frees its own frame when it ends. So does destroying a suspended coroutine that awaits a task;
///                that destruction must not be concurrent with the completion of the task, which would resume it.
/// Errors:        calling the coroutine throws std::bad_alloc when its frame cannot be allocated; nothing else throws
///                but what the coroutine threw and, for a value, T's move constructor.
/// Source:        the state word after R. Chen, "C++ coroutines: Getting rid of our reference count" (2021), with the
///                orders re-derived and abandonment while awaiting repaired.
template <class T = void, atomic_policy P = std_policy>
class [[nodiscard]] task {
public:
    using promise_type = detail::task_promise<T, P>;
    class awaiter;
    /// Takes the coroutine over; `other` may then only be destroyed or assigned to.
    task(task&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)) {}
    task& operator=(task other) noexcept {
        std::swap(promise_, other.promise_);
        return *this;
    }
    ~task() {
        if (promise_ != nullptr) promise_->abandon();
    }

    /// Whether the coroutine has ended, so that `co_await` would not suspend. The task must not have been moved from.
    [[nodiscard]] bool is_ready() const noexcept {
        assert(promise_ != nullptr && "moved from");
        return promise_->state().ready();
    }

    /// Awaits the result; takes the coroutine over.
    [[nodiscard]] awaiter operator co_await() && noexcept {
        assert(promise_ != nullptr && "moved from");
        return awaiter(std::move(*this));
    }

private:
    friend promise_type;
    explicit task(promise_type& promise) noexcept : promise_(&promise) {}

    promise_type* promise_;
};

/// What `co_await task` works on. It owns the coroutine: destroyed before it was resumed, it abandons it.
template <class T, atomic_policy P>
class task<T, P>::awaiter {
public:
    [[nodiscard]] bool await_ready() const noexcept { return task_.promise_->state().ready(); }

    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        return task_.promise_->state().register_awaiter(typename P::continuation(awaiting));
    }

    T await_resume() { return task_.promise_->result().take(); }

private:
    friend task;
    explicit awaiter(task&& owned) noexcept : task_(std::move(owned)) {}

    task task_;
};

namespace detail {

template <class T, atomic_policy P>
class task_promise : public returning<T, task_promise_base<T, P>> {
public:
    [[nodiscard]] task<T, P> get_return_object() noexcept { return task<T, P>(*this); }
};

}  // namespace detail

}  // namespace ordeal::coro
