// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

namespace ordeal::coro {

namespace detail {

template <class T>
concept await_suspend_result =
    std::same_as<T, void> || std::same_as<T, bool> || std::convertible_to<T, std::coroutine_handle<>>;

template <class T>
concept has_member_co_await = requires(T&& value) { std::forward<T>(value).operator co_await(); };

template <class T>
concept has_free_co_await = requires(T&& value) { operator co_await(std::forward<T>(value)); };

template <class Promise, class T>
concept transforms = requires(Promise& promise, T&& value) { promise.await_transform(std::forward<T>(value)); };

}  // namespace detail

/// The object a `co_await` works on ([expr.await]): ready, suspend, resume.
template <class T>
concept awaiter = requires(std::remove_reference_t<T>& value, std::coroutine_handle<> handle) {
    { value.await_ready() } -> std::convertible_to<bool>;
    { value.await_suspend(handle) } -> detail::await_suspend_result;
    value.await_resume();
};

/// The awaiter of `value`, as [expr.await]/3.2 finds it: a member operator co_await, else a free one, else `value`
/// itself. The result may refer to `value`.
template <class T>
[[nodiscard]] constexpr decltype(auto) get_awaiter(T&& value) {
    if constexpr (detail::has_member_co_await<T>) {
        return std::forward<T>(value).operator co_await();
    } else if constexpr (detail::has_free_co_await<T>) {
        return operator co_await(std::forward<T>(value));
    } else {
        return std::forward<T>(value);
    }
}

/// What the coroutine with promise `promise` awaits when it says `co_await value`: the result of the promise's
/// await_transform where it has one, else `value` itself.
template <class Promise, class T>
[[nodiscard]] constexpr decltype(auto) get_awaitable(Promise& promise, T&& value) {
    if constexpr (detail::transforms<Promise, T>) {
        return promise.await_transform(std::forward<T>(value));
    } else {
        return std::forward<T>(value);
    }
}

/// Types that any coroutine without an await_transform can `co_await`.
template <class T>
concept awaitable = requires(T&& value) {
    { get_awaiter(std::forward<T>(value)) } -> awaiter;
};

/// Types that a coroutine with this promise type can `co_await`.
template <class T, class Promise>
concept awaitable_in = requires(T&& value, Promise& promise) {
    { get_awaiter(get_awaitable(promise, std::forward<T>(value))) } -> awaiter;
};

/// The type of `co_await value`.
template <awaitable T>
using await_result_t = decltype(get_awaiter(std::declval<T>()).await_resume());

}  // namespace ordeal::coro
