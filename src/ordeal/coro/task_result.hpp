// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <cassert>
#include <coroutine>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace ordeal::coro::detail {

/// Whether a coroutine with the result T may return a U. A reference must bind to the object that is returned, not to a
/// temporary made of it, which would be gone when the reference is used.
template <class T, class U>
concept returnable_as =
    std::is_constructible_v<T, U> &&
    (!std::is_reference_v<T> || std::is_convertible_v<std::remove_reference_t<U>*, std::remove_reference_t<T>*>);

/// What a coroutine ended with: nothing yet, a value, or an exception. Plain data, no synchronisation of its own.
template <class T>
class task_result {
    struct nothing {};
    using stored = std::conditional_t<
        std::is_void_v<T>, nothing,
        std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<std::remove_reference_t<T>>, T>>;

public:
    void set_exception(std::exception_ptr error) noexcept { content_.template emplace<2>(std::move(error)); }

    void set_value() noexcept
        requires std::is_void_v<T>
    {
        content_.template emplace<1>();
    }

    template <class U>
        requires(!std::is_void_v<T>)
    void set_value(U&& value) {
        if constexpr (std::is_reference_v<T>) {
            T reference = std::forward<U>(value);
            content_.template emplace<1>(std::addressof(reference));
        } else {
            content_.template emplace<1>(std::forward<U>(value));
        }
    }

    /// Moves the value out, or throws the exception. Called once, after the coroutine has ended.
    T take() {
        assert(content_.index() != 0 && "the coroutine has not ended");
        if (content_.index() == 2) std::rethrow_exception(std::get<2>(std::move(content_)));
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(*std::get<1>(content_));
        } else if constexpr (!std::is_void_v<T>) {
            return std::get<1>(std::move(content_));
        }
    }

private:
    std::variant<std::monostate, stored, std::exception_ptr> content_;
};

// What the promises of task and sync_wait have in common: the coroutine starts at once, and its frame keeps the result beside
// the word that tells others that it is there.
template <class T, atomic_policy P, class Word>
class promise_storage {
public:
    [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { result_.write().set_exception(std::current_exception()); }

    [[nodiscard]] task_result<T>& result() noexcept { return result_.write(); }

protected:
    Word word_;
    // Plain data: the word orders it, so it needs no atomic discriminator of its own.
    typename P::template cell<task_result<T>> result_{};
};

// Adds the co_return to a promise that is one of those.
template <class T, class Promise>
class returning : public Promise {
public:
    template <class U = T>
        requires returnable_as<T, U&&>
    void return_value(U&& value) noexcept(std::is_nothrow_constructible_v<T, U&&>) {
        this->result_.write().set_value(std::forward<U>(value));
    }
};

template <class Promise>
class returning<void, Promise> : public Promise {
public:
    void return_void() noexcept { this->result_.write().set_value(); }
};

}  // namespace ordeal::coro::detail
