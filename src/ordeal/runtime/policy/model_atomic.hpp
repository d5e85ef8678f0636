// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_interface.hpp"
#include "ordeal/runtime/policy/model_word.hpp"

#include <atomic>
#include <cstdint>
#include <source_location>
#include <type_traits>

namespace ordeal::detail {

/// The named member functions of std::atomic over the runtime.
template <class T>
class model_atomic : public refused_operations<T> {
    using where = std::source_location;

public:
    using refused_operations<T>::operator=;
    using value_type = T;
    static constexpr bool is_always_lock_free = sizeof(T) < wide_size || std::atomic<T>::is_always_lock_free;

    model_atomic(T initial = T(), const where& at = where::current()) noexcept  // NOLINT: implicit, as std::atomic
        : word_(initial, at) {}
    model_atomic(const model_atomic&) = delete;
    model_atomic& operator=(const model_atomic&) = delete;

    [[nodiscard]] bool is_lock_free() const noexcept { return is_always_lock_free; }

    T load(std::memory_order order = std::memory_order_seq_cst, const where& at = where::current()) const noexcept {
        return word_.load("load", order, at);
    }
    void store(T value, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept {
        word_.store("store", value, order, at);
    }
    T exchange(T value, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept {
        return word_.exchange("exchange", value, order, at);
    }

    bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               const where& at = where::current()) noexcept {
        return word_.compare_exchange("compare_exchange_weak", true, expected, desired, success, failure, at);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                                 const where& at = where::current()) noexcept {
        return word_.compare_exchange("compare_exchange_strong", false, expected, desired, success, failure, at);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                               const where& at = where::current()) noexcept {
        return compare_exchange_weak(expected, desired, order, failure_order(order), at);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                                 const where& at = where::current()) noexcept {
        return compare_exchange_strong(expected, desired, order, failure_order(order), at);
    }

    using refused_operations<T>::fetch_add;
    using refused_operations<T>::fetch_sub;
    template <atomic_counter U = T>
    T fetch_add(atomic_difference_t<U> operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept {
        return word_.fetch("fetch_add", modification::add, scaled(operand), order, at);
    }
    template <atomic_counter U = T>
    T fetch_sub(atomic_difference_t<U> operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept {
        return word_.fetch("fetch_sub", modification::subtract, scaled(operand), order, at);
    }
    T fetch_and(T operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept
        requires atomic_integer<T>
    {
        return word_.fetch("fetch_and", modification::bit_and, model_word<T>::encode(operand), order, at);
    }
    T fetch_or(T operand, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept
        requires atomic_integer<T>
    {
        return word_.fetch("fetch_or", modification::bit_or, model_word<T>::encode(operand), order, at);
    }
    T fetch_xor(T operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept
        requires atomic_integer<T>
    {
        return word_.fetch("fetch_xor", modification::bit_xor, model_word<T>::encode(operand), order, at);
    }

    void wait(T old, std::memory_order order = std::memory_order_seq_cst,
              const where& at = where::current()) const noexcept {
        word_.wait(old, order, at);
    }
    void notify_one(const where& at = where::current()) noexcept { word_.notify(false, at); }
    void notify_all(const where& at = where::current()) noexcept { word_.notify(true, at); }

private:
    template <class Operand>
    [[nodiscard]] static std::uint64_t scaled(Operand operand) noexcept {
        if constexpr (std::is_pointer_v<T>) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(operand) *
                                              static_cast<std::int64_t>(sizeof(std::remove_pointer_t<T>)));
        } else {
            return model_word<T>::encode(operand);
        }
    }

    model_word<T> word_;
};

/// std::atomic_flag over the runtime.
class model_atomic_flag {
    using where = std::source_location;

public:
    model_atomic_flag(const where& at = where::current()) noexcept : word_(false, at) {}  // NOLINT: for arrays

    [[nodiscard]] bool test(std::memory_order order = std::memory_order_seq_cst,
                            const where& at = where::current()) const noexcept {
        return word_.load("test", order, at);
    }
    bool test_and_set(std::memory_order order = std::memory_order_seq_cst,
                      const where& at = where::current()) noexcept {
        return word_.exchange("test_and_set", true, order, at);
    }
    void clear(std::memory_order order = std::memory_order_seq_cst, const where& at = where::current()) noexcept {
        word_.store("clear", false, order, at);
    }

    void wait(bool old, std::memory_order order = std::memory_order_seq_cst,
              const where& at = where::current()) const noexcept {
        word_.wait(old, order, at);
    }
    void notify_one(const where& at = where::current()) noexcept { word_.notify(false, at); }
    void notify_all(const where& at = where::current()) noexcept { word_.notify(true, at); }

private:
    model_word<bool> word_;
};

}  // namespace ordeal::detail
