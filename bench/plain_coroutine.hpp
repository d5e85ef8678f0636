// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace ordeal::bench {

// What a coroutine costs without any synchronisation: one thread alone may use these.

// Parks a coroutine in a plain handle.
struct plain_parking {
    std::coroutine_handle<> parked;

    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept { parked = awaiting; }
    void await_resume() const noexcept {}
};

// A coroutine that starts at once and keeps its result in its frame.
class plain_task {
public:
    struct promise_type {
        int value = 0;
        std::coroutine_handle<> waiting = std::noop_coroutine();

        plain_task get_return_object() { return plain_task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        auto final_suspend() noexcept {
            struct go_on {
                bool await_ready() noexcept { return false; }
                std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
                    return self.promise().waiting;
                }
                void await_resume() noexcept {}
            };
            return go_on{};
        }
        void return_value(int result) noexcept { value = result; }
        [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }
    };

    plain_task(plain_task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    plain_task& operator=(plain_task&&) = delete;
    ~plain_task() {
        if (frame_) frame_.destroy();
    }

    [[nodiscard]] bool await_ready() const noexcept { return frame_.done(); }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept { frame_.promise().waiting = awaiting; }
    [[nodiscard]] int await_resume() const noexcept { return frame_.promise().value; }

private:
    explicit plain_task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}

    std::coroutine_handle<promise_type> frame_;
};

}  // namespace ordeal::bench
