// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <coroutine>
#include <exception>

namespace ordeal::exhibits {

/// Where a coroutine of a scenario stands until one thread resumes it. It synchronises nothing: the coroutine arrives
/// while the scenario is constructed, before the threads begin.
template <atomic_policy P>
class parked {
public:
    class awaiter {
    public:
        explicit awaiter(parked& place) noexcept : place_(place) {}
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> self) {
            place_.continuation_.write() = typename P::continuation(self);
        }
        void await_resume() const noexcept {}

    private:
        parked& place_;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

    void resume() {
        typename P::continuation continuation = continuation_.read();
        continuation.resume();
    }

private:
    typename P::template cell<typename P::continuation> continuation_{};
};

/// A coroutine whose owner destroys it while it is suspended.
template <atomic_policy P>
class owned {
public:
    struct promise_type {
        owned get_return_object() noexcept { return owned(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }
    };

    void destroy() { P::continuation::from_address(frame_.address()).destroy(); }

private:
    explicit owned(std::coroutine_handle<> frame) noexcept : frame_(frame) {}

    std::coroutine_handle<> frame_;
};

}  // namespace ordeal::exhibits
