// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>

namespace ordeal::broken {

/// coro::task<int> with one bug: a coroutine that ends frees its frame when nobody waits for it yet, not only when it
/// has been abandoned. The owner, who has not come to await it, uses and frees it too.
template <atomic_policy P>
class task {
public:
    struct promise_type {
        static constexpr std::uintptr_t running = 0;
        static constexpr std::uintptr_t completed = 1;
        static constexpr std::uintptr_t abandoned = 2;

        struct final_awaiter {
            [[nodiscard]] bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) const noexcept {
                return self.promise().complete(typename P::continuation(self));
            }
            void await_resume() const noexcept {}
        };

        [[nodiscard]] task get_return_object() noexcept { return task(*this); }
        [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
        [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }
        void return_value(int value) noexcept { result.write() = value; }
        [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }

        std::coroutine_handle<> complete(typename P::continuation self) noexcept {
            // order: acq_rel, as in the production code.
            const std::uintptr_t old = state.exchange(completed, std::memory_order_acq_rel);
            if (old == abandoned || old == running) {  // the bug: running is the owner's to free
                self.destroy();
                return std::noop_coroutine();
            }
            return P::transfer(P::continuation::from_address(reinterpret_cast<void*>(old)));
        }

        typename P::template atomic<std::uintptr_t> state{running};
        typename P::template cell<int> result{0};
    };

    task(const task&) = delete;
    task& operator=(const task&) = delete;
    ~task() {
        // order: acq_rel, as in the production code.
        const std::uintptr_t old = promise_.state.exchange(promise_type::abandoned, std::memory_order_acq_rel);
        if (old != promise_type::completed) return;
        const auto self = std::coroutine_handle<promise_type>::from_promise(promise_);
        P::continuation::from_address(self.address()).destroy();
    }

    [[nodiscard]] bool await_ready() const noexcept {
        // order: acquire <- complete, as in the production code.
        return promise_.state.load(std::memory_order_acquire) == promise_type::completed;
    }
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        const typename P::continuation suspended(awaiting);
        const auto address = reinterpret_cast<std::uintptr_t>(suspended.address());
        // order: acq_rel, as in the production code.
        const std::uintptr_t old = promise_.state.exchange(address, std::memory_order_acq_rel);
        if (old == promise_type::running) return true;
        // order: relaxed, as in the production code.
        promise_.state.store(promise_type::completed, std::memory_order_relaxed);
        return false;
    }
    [[nodiscard]] int await_resume() const noexcept { return promise_.result.read(); }

private:
    explicit task(promise_type& promise) noexcept : promise_(promise) {}

    promise_type& promise_;
};

}  // namespace ordeal::broken
