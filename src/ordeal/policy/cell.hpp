// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace ordeal {

/// Plain data that more than one thread touches. Thread safety is the caller's: accesses must be ordered
/// by happens-before, as for any plain object ([intro.races]).
///
/// In production it is the plain T, same size, same code. Under a model policy `read()` and `write()` are
/// where a data race is found, so that the code on trial has to say which of the two it does.
template <class T>
class cell {
public:
    /// Holds T as `T object;` would. What a T without a constructor holds then must not be read before it is written,
    /// after `cell<int> c{}` either: under a model policy that is an uninitialised read.
    constexpr cell() = default;

    /// Holds T(arg); implicitly, where that conversion is implicit. For a T that is made of more than one thing, pass a
    /// T.
    template <class Arg = T>
        requires(std::is_constructible_v<T, Arg> && !std::same_as<std::remove_cvref_t<Arg>, cell>)
    constexpr explicit(!std::is_convertible_v<Arg, T>)
        cell(Arg&& arg) noexcept(std::is_nothrow_constructible_v<T, Arg>)  // NOLINT: implicit, as T
        : value_(std::forward<Arg>(arg)) {}

    cell(const cell&) = delete;
    cell& operator=(const cell&) = delete;

    /// A read access; the reference must not be used after another thread may write.
    [[nodiscard]] constexpr const T& read() const noexcept { return value_; }

    /// A write access; the reference must not be used after another thread may read or write.
    [[nodiscard]] constexpr T& write() noexcept { return value_; }

private:
    T value_;
};

}  // namespace ordeal
