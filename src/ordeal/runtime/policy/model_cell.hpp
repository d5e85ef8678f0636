// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/execution.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>

namespace ordeal::detail {

/// `ordeal::cell` with every access checked for races.
template <class T>
class model_cell {
    using where = std::source_location;

public:
    model_cell(const where& at = where::current())  // NOLINT: implicit, for arrays
        requires std::is_default_constructible_v<T>
        : value_() {
        begin(std::is_class_v<T> || std::is_union_v<T>, at);
    }
    template <class Arg = T>
        requires(std::is_constructible_v<T, Arg> && !std::same_as<std::remove_cvref_t<Arg>, model_cell> &&
                 !std::same_as<std::remove_cvref_t<Arg>, where>)
    explicit(!std::is_convertible_v<Arg, T>)
        model_cell(Arg&& arg, const where& at = where::current())  // NOLINT: implicit, as T
        : value_(std::forward<Arg>(arg)) {
        begin(true, at);
    }
    ~model_cell() { current_runtime().end_life(range(), no_site); }
    model_cell(const model_cell&) = delete;
    model_cell& operator=(const model_cell&) = delete;

    [[nodiscard]] const T& read(const where& at = where::current()) const noexcept {
        current_runtime().read(range(), sites().plain_site(at, "read"));
        return value_;
    }
    [[nodiscard]] T& write(const where& at = where::current()) noexcept {
        current_runtime().write(range(), sites().plain_site(at, "write"));
        return value_;
    }

private:
    [[nodiscard]] memory_range range() const noexcept { return {reinterpret_cast<std::uintptr_t>(this), sizeof(T)}; }
    void begin(bool initialised, const where& at) noexcept {
        current_runtime().begin_life(range(), object_kind::cell, initialised ? 1 : 0,
                                     sites().plain_site(at, "construct"));
    }

    T value_;
};

/// A lock of the model: Lockable, not recursive.
class model_mutex {
    using where = std::source_location;

public:
    model_mutex(const where& at = where::current()) noexcept {  // NOLINT: implicit, for arrays
        current_runtime().begin_life(range(), object_kind::mutex, 0, sites().plain_site(at, "construct"));
    }
    ~model_mutex() { current_runtime().end_life(range(), no_site); }
    model_mutex(const model_mutex&) = delete;
    model_mutex& operator=(const model_mutex&) = delete;

    void lock(const where& at = where::current()) {
        current_runtime().lock(range().address, sites().plain_site(at, "lock"));
    }
    [[nodiscard]] bool try_lock(const where& at = where::current()) {
        return current_runtime().try_lock(range().address, sites().plain_site(at, "try_lock"));
    }
    void unlock(const where& at = where::current()) {
        current_runtime().unlock(range().address, sites().plain_site(at, "unlock"));
    }

private:
    [[nodiscard]] memory_range range() const noexcept { return {reinterpret_cast<std::uintptr_t>(this), 1}; }

    [[maybe_unused]] std::byte storage_{};
};

}  // namespace ordeal::detail
