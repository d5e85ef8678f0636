// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/awaitable.hpp"
#include "ordeal/coro/task_result.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace ordeal::coro {

namespace detail {

// How the awaited side tells the blocked thread that it is done. The blocked thread frees the signal as soon as
// wait() returns, so notify() may not touch it after anything that lets wait() return.
//
//   pending    nothing has happened
//   finished   the result is there; the notifier is still using the signal
//   released   the notifier has made its last access
template <atomic_policy P>
class completion_signal {
public:
    // Lifetime: the second store is the last access; *this may be gone after it.
    void notify() noexcept {
        // order: seq_cst (outside the model): the memory model asks for no more than relaxed. But notify_one of libstdc++
        //        12 first looks, with a plain load, whether anybody waits; a weaker store may still be in the store
        //        buffer then, the blocked thread see `pending`, and nobody wake it.
        state_.store(finished, std::memory_order_seq_cst);
        state_.notify_one();
        // order: release -> wait (load): the result, the frame at its final suspension, and the notification itself,
        //        which must be over before the signal is freed.
        state_.store(released, std::memory_order_release);
    }

    void wait() const noexcept {
        // order: relaxed: nothing is read yet; the loop below acquires.
        state_.wait(pending, std::memory_order_relaxed);
        // order: acquire <- notify (second store): everything the awaited side did. Between the two stores there is
        //        only the notification, so the loop is short.
        while (state_.load(std::memory_order_acquire) != released) P::yield();
    }

private:
    static constexpr std::uint32_t pending = 0;
    static constexpr std::uint32_t finished = 1;
    static constexpr std::uint32_t released = 2;

    typename P::template atomic<std::uint32_t> state_{pending};
};

template <class T, atomic_policy P>
class sync_wait_promise;

// Owns the coroutine that awaits on behalf of the blocked thread.
template <class T, atomic_policy P>
class sync_wait_coroutine {
public:
    using promise_type = sync_wait_promise<T, P>;

    explicit sync_wait_coroutine(promise_type& promise) noexcept : promise_(promise) {}
    sync_wait_coroutine(const sync_wait_coroutine&) = delete;
    sync_wait_coroutine& operator=(const sync_wait_coroutine&) = delete;
    ~sync_wait_coroutine() {
        const auto self = std::coroutine_handle<promise_type>::from_promise(promise_);
        P::continuation::from_address(self.address()).destroy();
    }

    T get() {
        promise_.signal().wait();
        return promise_.result().take();
    }

private:
    promise_type& promise_;
};

template <class T, atomic_policy P>
class sync_wait_promise_base : public promise_storage<T, P, completion_signal<P>> {
public:
    struct final_awaiter {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<sync_wait_promise<T, P>> self) const noexcept {
            const typename P::continuation suspended(self);  // from here the blocked thread may free the frame
            (void)suspended;
            self.promise().signal().notify();
        }
        void await_resume() const noexcept {}
    };

    [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }

    [[nodiscard]] completion_signal<P>& signal() noexcept { return this->word_; }
};

template <class T, atomic_policy P>
class sync_wait_promise : public returning<T, sync_wait_promise_base<T, P>> {
public:
    [[nodiscard]] sync_wait_coroutine<T, P> get_return_object() noexcept { return sync_wait_coroutine<T, P>(*this); }
};

template <class T, atomic_policy P, class Awaitable>
sync_wait_coroutine<T, P> await_for(Awaitable& value) {
    co_return co_await std::forward<Awaitable>(value);
}

}  // namespace detail

/// Awaits `value` and blocks the calling thread until it is done; returns or throws what `co_await` does.
///
/// Thread safety: as `co_await value`. Must not be called on the thread that has to complete `value`: it would wait
///                for itself.
/// Ordering:      what happened before the awaited completion happens before sync_wait returns.
/// Lifetime:      when it returns, the completing thread has made its last access to anything of this call; there is
///                no notification after the fact.
/// Errors:        std::bad_alloc when the frame of the waiting coroutine cannot be allocated.
template <atomic_policy P = std_policy, awaitable Awaitable>
await_result_t<Awaitable> sync_wait(Awaitable&& value) {
    return detail::await_for<await_result_t<Awaitable>, P, Awaitable>(value).get();
}

}  // namespace ordeal::coro
