// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/std_policy.hpp"

#include <atomic>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace examples {

/// A coroutine that yields values, one whenever it is asked for the next. It is lazy: its body runs inside next() only.
///
/// Thread safety: none: calls must be ordered by happens-before, but may be on different threads.
/// Lifetime:      its destructor destroys the coroutine where it is suspended.
/// Errors:        an exception that leaves the coroutine leaves next(), which then returns nothing for ever.
/// Source:        as `generator` of L. Baker's cppcoro (2017); std::generator (P2502) has ranges besides.
template <class T, ordeal::atomic_policy P = ordeal::std_policy>
class generator {
public:
    class promise_type;

    generator(generator&& other) noexcept : promise_(std::exchange(other.promise_, nullptr)) {}
    generator& operator=(generator other) noexcept {
        std::swap(promise_, other.promise_);
        return *this;
    }
    ~generator() {
        if (promise_ != nullptr) promise_->suspended().destroy();
    }

    /// The next value; nothing: there are no more.
    [[nodiscard]] std::optional<T> next() {
        promise_->value_.write().reset();
        if (!promise_->ended_.read()) promise_->suspended().resume();
        if (promise_->error_) std::rethrow_exception(std::exchange(promise_->error_, nullptr));
        return std::move(promise_->value_.write());
    }

private:
    explicit generator(promise_type& promise) noexcept : promise_(&promise) {}

    promise_type* promise_;
};

template <class T, ordeal::atomic_policy P>
class generator<T, P>::promise_type {
    // Tells the policy where the coroutine stands still.
    struct suspend {
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<promise_type> self) const noexcept {
            self.promise().at_.write() = typename P::continuation(self);
        }
        void await_resume() const noexcept {}
    };

public:
    generator get_return_object() noexcept { return generator(*this); }
    suspend initial_suspend() const noexcept { return {}; }
    suspend final_suspend() noexcept {
        ended_.write() = true;
        return {};
    }
    suspend yield_value(T value) {
        value_.write().emplace(std::move(value));
        return {};
    }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { error_ = std::current_exception(); }

private:
    friend generator;
    [[nodiscard]] typename P::continuation suspended() const noexcept { return at_.read(); }

    typename P::template cell<typename P::continuation> at_{};
    typename P::template cell<std::optional<T>> value_{};
    typename P::template cell<bool> ended_{false};
    std::exception_ptr error_;
};

/// A generator that any number of threads pull from, such as a source of work. Who finds another one pulling does not
/// wait.
///
/// Thread safety: try_next() by any number of threads.
/// Ordering:      what the coroutine did for one call happens before what it does for the next one, so that its body
///                may be written as for one thread.
template <class T, ordeal::atomic_policy P = ordeal::std_policy>
class shared_generator {
public:
    explicit shared_generator(generator<T, P> values) noexcept : values_(std::move(values)) {}

    /// The next value; nothing: there are no more, or another thread is pulling one now.
    [[nodiscard]] std::optional<T> try_next() {
        // order: acquire <- ~turn: the suspended frame, which this thread resumes.
        if (busy_.exchange(true, std::memory_order_acquire)) return std::nullopt;
        const turn own(busy_);
        return values_.next();
    }

private:
    using flag = typename P::template atomic<bool>;

    class turn {
    public:
        explicit turn(flag& busy) noexcept : busy_(busy) {}
        turn(const turn&) = delete;
        turn& operator=(const turn&) = delete;
        ~turn() {
            // order: release -> try_next: the suspended frame.
            busy_.store(false, std::memory_order_release);
        }

    private:
        flag& busy_;
    };

    generator<T, P> values_;
    flag busy_{false};
};

}  // namespace examples
