// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/exhibits/state_words.hpp"
#include "ordeal/coro/exhibits/transition_log.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/scenario/require.hpp"

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace ordeal::exhibits {

/// What a coroutine ended with, as plain data.
template <atomic_policy P>
class plain_result {
public:
    void set(int value) noexcept {
        value_.write() = value;
        present_.write() = true;
    }
    [[nodiscard]] int take() const {
        require(present_.read(), "the result is there");
        return value_.read();
    }

private:
    typename P::template cell<int> value_{0};
    typename P::template cell<bool> present_{false};
};

/// The same with an atomic discriminator, which the state word makes unnecessary.
template <atomic_policy P>
class atomic_result {
public:
    void set(int value) noexcept {
        value_.write() = value;
        // order: release -> take: the value.
        present_.store(true, std::memory_order_release);
    }
    [[nodiscard]] int take() const {
        // order: acquire <- set: the value.
        require(present_.load(std::memory_order_acquire), "the result is there");
        return value_.read();
    }

private:
    typename P::template cell<int> value_{0};
    typename P::template atomic<bool> present_{false};
};

/// A task without a reference count: the coroutine and its owner tell each other through one state word who destroys
/// the frame. The coroutine is a member of a scenario that has a `transition_log log`.
///
/// Source: R. Chen, "C++ coroutines: Getting rid of our reference count" (2021).
template <atomic_policy P, class Word = printed_word<P>, class Result = plain_result<P>>
class printed_task {
public:
    class promise_type;
    class awaiter;

    printed_task(printed_task&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)), log_(other.log_) {}
    printed_task& operator=(printed_task&&) = delete;
    ~printed_task() { abandon(); }

    [[nodiscard]] bool is_ready() const noexcept { return promise_->word().ready(); }

    void abandon() {
        if (promise_ == nullptr) return;
        void* const frame = std::coroutine_handle<promise_type>::from_promise(*promise_).address();
        const std::uintptr_t old = std::exchange(promise_, nullptr)->word().abandon();
        log_.entered(phase::abandoned, Word::phase_of(old));
        if (old != Word::running) P::continuation::from_address(frame).destroy();
    }

    [[nodiscard]] awaiter operator co_await() && noexcept { return awaiter(std::move(*this)); }

private:
    printed_task(promise_type& promise, transition_log& log) noexcept : promise_(&promise), log_(log) {}

    promise_type* promise_;
    transition_log& log_;  // of the owner: abandoning touches nothing of the promise but the word
};

template <atomic_policy P, class Word, class Result>
class printed_task<P, Word, Result>::promise_type {
public:
    template <class Owner>
    explicit promise_type(Owner& owner) noexcept : log_(owner.log) {}

    struct final_awaiter {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) const noexcept {
            return self.promise().complete(typename P::continuation(self));
        }
        void await_resume() const noexcept {}
    };

    [[nodiscard]] printed_task get_return_object() noexcept { return printed_task(*this, log_); }
    [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
    [[nodiscard]] final_awaiter final_suspend() const noexcept { return {}; }
    void return_value(int value) noexcept { result_.set(value); }
    [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }

    [[nodiscard]] Word& word() noexcept { return word_; }
    [[nodiscard]] Result& result() noexcept { return result_; }

private:
    // Lifetime: after the word is written the owner may destroy the frame, unless it is found abandoned.
    [[nodiscard]] std::coroutine_handle<> complete(typename P::continuation self) noexcept {
        transition_log& log = log_;
        const std::uintptr_t old = word_.complete();
        log.entered(phase::completed, Word::phase_of(old));
        if (old == Word::running) return std::noop_coroutine();
        if (old == Word::abandoned) {
            self.destroy();
            return std::noop_coroutine();
        }
        return P::transfer(P::continuation::from_address(reinterpret_cast<void*>(old)));
    }

    transition_log& log_;
    Word word_;
    Result result_;
};

template <atomic_policy P, class Word, class Result>
class printed_task<P, Word, Result>::awaiter {
public:
    explicit awaiter(printed_task&& task) noexcept : task_(std::move(task)) {}
    [[nodiscard]] bool await_ready() const noexcept { return task_.is_ready(); }
    // Lifetime: once registered the awaiting coroutine may go on elsewhere and destroy *this.
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        transition_log& log = task_.log_;
        const std::uintptr_t old = task_.promise_->word().register_awaiter(typename P::continuation(awaiting));
        log.entered(phase::awaiting, Word::phase_of(old));
        return old == Word::running;
    }
    [[nodiscard]] int await_resume() const { return task_.promise_->result().take(); }

private:
    printed_task task_;
};

}  // namespace ordeal::exhibits
