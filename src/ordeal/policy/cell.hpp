// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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
    constexpr cell() = default;

    template <class... Args>
        requires(sizeof...(Args) > 0 && std::is_constructible_v<T, Args...>)
    constexpr explicit cell(Args&&... args) noexcept(std::is_nothrow_constructible_v<T, Args...>)
        : value_(std::forward<Args>(args)...) {}

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
