// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/awaitable.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/outcome_grade.hpp"

#include <array>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#ifndef ORDEAL_TRIAL
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/policy/model_policy.hpp"
#endif

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

/// The outcomes of a scenario that tells the path of one co_await.
inline constexpr std::array paths{
    outcome_grade{"ready", grade::acceptable, "it was there when await_ready looked"},
    outcome_grade{"refused", grade::acceptable, "it came between await_ready and await_suspend"},
    outcome_grade{"resumed", grade::acceptable, "suspended first, then resumed by the other thread"},
};

/// Those when await_ready is left out.
inline constexpr std::array paths_without_a_look{paths[1], paths[2]};

/// Those when the event may have been reset before the waiter came.
inline constexpr std::array paths_with_reset{
    paths[0],
    paths[1],
    paths[2],
    outcome_grade{"resumed by the next set()", grade::acceptable, "the waiter came after reset()"},
};

/// Those when the event begins set and nobody but finish() sets it again.
inline constexpr std::array paths_until_reset{paths[0], paths_with_reset[3]};

/// The outcomes of two waiters, each on a thread of its own, and one set().
inline constexpr std::array paths_of_two{
    outcome_grade{"ready, ready", grade::acceptable, "both came after set()"},
    outcome_grade{"ready, refused", grade::acceptable, "the second looked before set(), and was refused"},
    outcome_grade{"ready, resumed", grade::acceptable, "only the second was queued"},
    outcome_grade{"refused, ready", grade::acceptable, "the first looked before set(), and was refused"},
    outcome_grade{"refused, refused", grade::acceptable, "both looked before set(), and were refused"},
    outcome_grade{"refused, resumed", grade::acceptable, "the second was queued when the first was refused"},
    outcome_grade{"resumed, ready", grade::acceptable, "only the first was queued"},
    outcome_grade{"resumed, refused", grade::acceptable, "the first was queued when the second was refused"},
    outcome_grade{"resumed, resumed", grade::acceptable, "both were queued"},
};

/// The outcomes of a coroutine that awaits an event twice while another thread does set(), reset(), set().
inline constexpr std::array paths_of_two_in_turn{
    outcome_grade{"ready, ready", grade::acceptable, "the event was set both times"},
    outcome_grade{"ready, refused", grade::acceptable, "the second set() came between look and attempt"},
    outcome_grade{"ready, resumed", grade::acceptable, "through at once, then suspended after reset()"},
    outcome_grade{"refused, ready", grade::acceptable, "a set() came between the first look and attempt"},
    outcome_grade{"refused, refused", grade::acceptable, "each set() came between a look and its attempt"},
    outcome_grade{"refused, resumed", grade::acceptable, "refused by the first set(), suspended after reset()"},
    outcome_grade{"resumed, ready", grade::acceptable, "resumed inside set(), where the event is set"},
    outcome_grade{"resumed, refused", grade::forbidden, "resumed inside set(), where the event is set"},
    outcome_grade{"resumed, resumed", grade::forbidden, "resumed inside set(), where the event is set"},
};

/// The outcomes of three waiters and one set().
inline constexpr std::array resumed_of_three{
    outcome_grade{"0 resumed", grade::acceptable, "all came after set()"},
    outcome_grade{"1 resumed", grade::acceptable, "one was queued before set()"},
    outcome_grade{"2 resumed", grade::acceptable, "two were queued before set()"},
    outcome_grade{"3 resumed", grade::acceptable, "all were queued before set()"},
};

/// The outcomes of looking at an event once while another thread sets it.
inline constexpr std::array set_or_not{
    outcome_grade{"not set", grade::acceptable, "looked before set()"},
    outcome_grade{"set", grade::acceptable, "looked after set()"},
};

/// Who frees the frame of a task that is given up.
inline constexpr std::array who_frees{
    outcome_grade{"the owner frees", grade::acceptable, "the coroutine had completed before"},
    outcome_grade{"the coroutine frees", grade::acceptable, "it was given up before it completed"},
};

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
#ifndef ORDEAL_TRIAL
    // All threads of the model run on one of the system, and have its thread_local variables together.
    if constexpr (std::same_as<P, model_policy>)
        return static_cast<std::uintptr_t>(current_runtime().thread() + 2);  // from -1 up
#endif
    thread_local const char mark = 0;
    return reinterpret_cast<std::uintptr_t>(&mark);
}

}  // namespace ordeal::production
