// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace ordeal::exhibits {

/// A task whose frame the coroutine and the owner share by a reference count of two: the party that drops its
/// reference last destroys the frame, after an acquire fence. `Fenced` = false leaves the fence out.
///
/// Source: R. Chen, "C++ coroutines: Getting rid of our reference count" (2021), the promise before the change.
template <atomic_policy P, bool Fenced = true>
class counted_task {
public:
    class promise_type;
    class awaiter;

    counted_task(counted_task&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)) {}
    counted_task& operator=(counted_task&&) = delete;
    ~counted_task() { abandon(); }

    void abandon() {
        if (promise_ != nullptr) std::exchange(promise_, nullptr)->drop_reference();
    }

    [[nodiscard]] awaiter operator co_await() && noexcept { return awaiter(std::move(*this)); }

private:
    explicit counted_task(promise_type& promise) noexcept : promise_(&promise) {}

    promise_type* promise_;
};

template <atomic_policy P, bool Fenced>
class counted_task<P, Fenced>::promise_type {
public:
    struct final_awaiter {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) const noexcept {
            return self.promise().complete();
        }
        void await_resume() const noexcept {}
    };

    [[nodiscard]] counted_task get_return_object() noexcept { return counted_task(*this); }
    [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
    [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }
    void return_value(int value) noexcept { result_.write() = value; }
    [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }

    [[nodiscard]] bool ready() const noexcept {
        // order: acquire <- complete: the result, read by an awaiter that does not suspend.
        return state_.load(std::memory_order_acquire) == completed;
    }

    // Lifetime: the awaiting coroutine may be resumed elsewhere once it is registered.
    [[nodiscard]] bool register_awaiter(typename P::continuation awaiting) noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(awaiting.address());
        // order: release -> complete: the frame of the awaiting coroutine. acquire <- complete: the result.
        return state_.exchange(address, std::memory_order_acq_rel) == running;
    }

    [[nodiscard]] int result() const noexcept { return result_.read(); }

    // Lifetime: the frame may be gone when this returns.
    void drop_reference() noexcept {
        void* const frame = std::coroutine_handle<promise_type>::from_promise(*this).address();
        // order: release -> the decrement that finds 1, and its fence: every use this party made of the frame.
        if (references_.fetch_sub(1, std::memory_order_release) != 1) return;
        // order: acquire fence <- the other party's decrement: it has made its last use; now the frame may go.
        if constexpr (Fenced) P::acquire_fence(references_);
        P::continuation::from_address(frame).destroy();
    }

private:
    [[nodiscard]] std::coroutine_handle<> complete() noexcept {
        const typename P::continuation suspended(std::coroutine_handle<promise_type>::from_promise(*this));
        (void)suspended;
        // order: release -> ready, register_awaiter: the result. acquire <- register_awaiter: the frame to resume.
        const std::uintptr_t old = state_.exchange(completed, std::memory_order_acq_rel);
        drop_reference();
        if (old == running) return std::noop_coroutine();
        return P::transfer(P::continuation::from_address(reinterpret_cast<void*>(old)));
    }

    static constexpr std::uintptr_t running = 0;
    static constexpr std::uintptr_t completed = 1;

    typename P::template atomic<std::uint32_t> references_{2};
    typename P::template atomic<std::uintptr_t> state_{running};
    typename P::template cell<int> result_{0};
};

template <atomic_policy P, bool Fenced>
class counted_task<P, Fenced>::awaiter {
public:
    explicit awaiter(counted_task&& task) noexcept : task_(std::move(task)) {}
    [[nodiscard]] bool await_ready() const noexcept { return task_.promise_->ready(); }
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        return task_.promise_->register_awaiter(typename P::continuation(awaiting));
    }
    [[nodiscard]] int await_resume() const noexcept { return task_.promise_->result(); }

private:
    counted_task task_;
};

}  // namespace ordeal::exhibits
