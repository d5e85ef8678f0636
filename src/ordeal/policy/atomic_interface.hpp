// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <type_traits>

// What the atomics of the policies for tests have in common: which operations std::atomic has for which types, and
// those that are refused.
namespace ordeal::detail {

/// Has fetch_and, fetch_or and fetch_xor, [atomics.types.int].
template <class T>
concept atomic_integer = std::integral<T> && !std::same_as<T, bool>;

/// Has fetch_add and fetch_sub, [atomics.types.int], [atomics.types.pointer].
template <class T>
concept atomic_counter = atomic_integer<T> || (std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>);

template <class T>
struct atomic_difference {};
template <class T>
    requires atomic_integer<T> || std::floating_point<T>
struct atomic_difference<T> {
    using difference_type = T;
};
template <class T>
    requires std::is_pointer_v<T>
struct atomic_difference<T> {
    using difference_type = std::ptrdiff_t;
};

template <class T>
using atomic_difference_t = typename atomic_difference<T>::difference_type;

/// The order of a failure, where one order was given, [atomics.types.operations]: acq_rel becomes acquire, release
/// becomes relaxed.
[[nodiscard]] constexpr std::memory_order failure_order(std::memory_order order) noexcept {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    if (order == std::memory_order_release) return std::memory_order_relaxed;
    return order;
}

/// A base of an atomic that is named in reports by the place of each call: what has no room for that place is refused
/// with a message. Empty.
template <class T>
class refused_operations : public atomic_difference<T> {
public:
    refused_operations() = default;
    refused_operations(const refused_operations&) = delete;
    refused_operations& operator=(const refused_operations&) = delete;

    operator T() const noexcept { return no_operators(); }        // NOLINT: implicit, as std::atomic
    T operator=(T /*value*/) noexcept { return no_operators(); }  // NOLINT: as std::atomic
    T operator++() noexcept { return no_operators(); }
    T operator++(int) noexcept { return no_operators(); }  // NOLINT: as std::atomic
    T operator--() noexcept { return no_operators(); }
    T operator--(int) noexcept { return no_operators(); }  // NOLINT: as std::atomic
    template <class U>
    T operator+=(U /*operand*/) noexcept {
        return no_operators<U>();
    }
    template <class U>
    T operator-=(U /*operand*/) noexcept {
        return no_operators<U>();
    }
    template <class U>
    T operator&=(U /*operand*/) noexcept {
        return no_operators<U>();
    }
    template <class U>
    T operator|=(U /*operand*/) noexcept {
        return no_operators<U>();
    }
    template <class U>
    T operator^=(U /*operand*/) noexcept {
        return no_operators<U>();
    }

    T fetch_add(T /*operand*/, std::memory_order /*order*/ = std::memory_order_seq_cst) noexcept
        requires std::floating_point<T>
    {
        return no_floating_point();
    }
    T fetch_sub(T /*operand*/, std::memory_order /*order*/ = std::memory_order_seq_cst) noexcept
        requires std::floating_point<T>
    {
        return no_floating_point();
    }

private:
    template <class U = T>
    [[noreturn]] static T no_operators() {
        static_assert(sizeof(U) == 0,
                      "ordeal: an atomic of a policy has no operators, which have no place for the memory order; "
                      "write load(), store(), fetch_add() and so on");
        __builtin_unreachable();
    }
    template <class U = T>
    [[noreturn]] static T no_floating_point() {
        static_assert(sizeof(U) == 0,
                      "ordeal: an atomic of a policy cannot add floating-point numbers; write the loop of "
                      "compare_exchange_weak() that std::atomic has inside");
        __builtin_unreachable();
    }
};

}  // namespace ordeal::detail
