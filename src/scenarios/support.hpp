// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/awaitable.hpp"
#include "ordeal/model/execution.hpp"
#include "ordeal/model/model_policy.hpp"
#include "ordeal/policy/atomic_policy.hpp"

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

namespace ordeal::production {

/// How a co_await went.
enum class path : std::uint8_t {
    none,     ///< it has not come to an end
    ready,    ///< await_ready said so; no attempt to suspend
    refused,  ///< the attempt to suspend found it done: await_suspend returned false
    resumed,  ///< suspended, and resumed by another
};

[[nodiscard]] constexpr const char* to_string(path value) noexcept {
    switch (value) {
        case path::ready: return "ready";
        case path::refused: return "refused";
        case path::resumed: return "resumed";
        case path::none: break;
    }
    return "none";
}

/// Awaits `value` and tells which path that took. With `poll` false it goes straight to await_suspend, as if
/// await_ready had come too early.
template <coro::awaitable Awaitable>
class observed {
public:
    observed(Awaitable&& value, path& result, bool poll = true)
        : inner_(coro::get_awaiter(std::forward<Awaitable>(value))), result_(&result), poll_(poll) {}

    [[nodiscard]] bool await_ready() {
        if (!poll_ || !inner_.await_ready()) return false;
        path_ = path::ready;
        return true;
    }

    // Lifetime: when the inner await_suspend returns true, *this may be gone.
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) {
        path_ = path::resumed;
        if (inner_.await_suspend(awaiting)) return true;
        path_ = path::refused;
        return false;
    }

    decltype(auto) await_resume() {
        *result_ = path_;
        return inner_.await_resume();
    }

private:
    decltype(coro::get_awaiter(std::declval<Awaitable>())) inner_;
    path* result_;
    path path_ = path::none;
    bool poll_;
};

template <class Awaitable, class... More>
observed(Awaitable&&, More&&...) -> observed<Awaitable>;

/// Where a coroutine stops until open() resumes it, on the thread that calls it. It has no atomics, so that nothing
/// but the code on trial orders anything: a coroutine must have stopped here before the threads begin.
template <atomic_policy P>
class gate {
public:
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept {
        waiting_.write() = typename P::continuation(awaiting);
    }
    void await_resume() const noexcept {}

    void open() {
        typename P::continuation waiting = waiting_.read();
        waiting.resume();
    }

private:
    typename P::template cell<typename P::continuation> waiting_{};
};

/// A coroutine that starts at once and whose frame the owner destroys, ended or suspended.
template <atomic_policy P>
class owned_coroutine {
public:
    struct promise_type {
        struct final_awaiter {
            [[nodiscard]] bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> self) const noexcept {
                [[maybe_unused]] const typename P::continuation suspended(self);
            }
            void await_resume() const noexcept {}
        };

        owned_coroutine get_return_object() noexcept {
            return owned_coroutine(std::coroutine_handle<promise_type>::from_promise(*this).address());
        }
        [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
        [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
    };

    owned_coroutine(owned_coroutine&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    owned_coroutine& operator=(owned_coroutine&&) = delete;
    ~owned_coroutine() {
        if (frame_ != nullptr) P::continuation::from_address(frame_).destroy();
    }

private:
    explicit owned_coroutine(void* frame) noexcept : frame_(frame) {}

    void* frame_;
};

/// Orders two threads without either waiting: the one that comes second goes on with what both had to do first.
template <atomic_policy P>
class meeting {
public:
    /// Whether the other thread has been here; all that it did before then happens before this returns.
    [[nodiscard]] bool second() {
        const std::lock_guard lock(mutex_);
        return std::exchange(met_.write(), true);
    }

private:
    typename P::mutex mutex_;
    typename P::template cell<bool> met_{false};
};

/// A value that is the same on one thread and different on two, never 0, to tell where a coroutine went on.
template <atomic_policy P>
[[nodiscard]] std::uintptr_t thread_mark() noexcept {
    if constexpr (std::same_as<P, model_policy>) {
        return static_cast<std::uintptr_t>(port().thread() + 2);  // from -1 up
    } else {
        thread_local const char mark = 0;
        return reinterpret_cast<std::uintptr_t>(&mark);
    }
}

}  // namespace ordeal::production
