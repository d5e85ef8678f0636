// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <compare>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>

namespace ordeal {

/// The requirements on a policy, one concept each, so that a compiler's message names the part that is missing. What
/// they list is what every policy offers; code that keeps to it compiles over each of them.
namespace policy_requirement {

/// The named functions of std::atomic, [atomics.types.generic], with an order and without one. Operators are not among
/// them.
template <class Atomic, class T>
concept atomic_of = requires(Atomic& object, const Atomic& constant, T value, std::memory_order order) {
    requires std::default_initializable<Atomic>;
    Atomic(value);
    requires std::same_as<typename Atomic::value_type, T>;
    { Atomic::is_always_lock_free } -> std::convertible_to<bool>;
    { constant.is_lock_free() } noexcept -> std::same_as<bool>;
    { constant.load() } noexcept -> std::same_as<T>;
    { constant.load(order) } noexcept -> std::same_as<T>;
    { object.store(value) } noexcept;
    { object.store(value, order) } noexcept;
    { object.exchange(value) } noexcept -> std::same_as<T>;
    { object.exchange(value, order) } noexcept -> std::same_as<T>;
    { object.compare_exchange_weak(value, value) } noexcept -> std::same_as<bool>;
    { object.compare_exchange_weak(value, value, order) } noexcept -> std::same_as<bool>;
    { object.compare_exchange_weak(value, value, order, order) } noexcept -> std::same_as<bool>;
    { object.compare_exchange_strong(value, value) } noexcept -> std::same_as<bool>;
    { object.compare_exchange_strong(value, value, order) } noexcept -> std::same_as<bool>;
    { object.compare_exchange_strong(value, value, order, order) } noexcept -> std::same_as<bool>;
    { constant.wait(value) } noexcept;
    { constant.wait(value, order) } noexcept;
    { object.notify_one() } noexcept;
    { object.notify_all() } noexcept;
};

/// As above, and fetch_add and fetch_sub: for integers other than bool, [atomics.types.int], and for pointers to
/// objects, [atomics.types.pointer].
template <class Atomic, class T>
concept counter_of = atomic_of<Atomic, T> &&
                     requires(Atomic& object, typename Atomic::difference_type difference, std::memory_order order) {
                         { object.fetch_add(difference) } noexcept -> std::same_as<T>;
                         { object.fetch_add(difference, order) } noexcept -> std::same_as<T>;
                         { object.fetch_sub(difference) } noexcept -> std::same_as<T>;
                         { object.fetch_sub(difference, order) } noexcept -> std::same_as<T>;
                     };

/// As above, and fetch_and, fetch_or and fetch_xor: for integers other than bool, [atomics.types.int].
template <class Atomic, class T>
concept integer_of = counter_of<Atomic, T> && requires(Atomic& object, T value, std::memory_order order) {
    { object.fetch_and(value) } noexcept -> std::same_as<T>;
    { object.fetch_and(value, order) } noexcept -> std::same_as<T>;
    { object.fetch_or(value) } noexcept -> std::same_as<T>;
    { object.fetch_or(value, order) } noexcept -> std::same_as<T>;
    { object.fetch_xor(value) } noexcept -> std::same_as<T>;
    { object.fetch_xor(value, order) } noexcept -> std::same_as<T>;
};

/// The functions of std::atomic_flag, [atomics.flag].
template <class Flag>
concept is_flag = requires(Flag& object, const Flag& constant, bool value, std::memory_order order) {
    requires std::default_initializable<Flag>;
    { constant.test() } noexcept -> std::same_as<bool>;
    { constant.test(order) } noexcept -> std::same_as<bool>;
    { object.test_and_set() } noexcept -> std::same_as<bool>;
    { object.test_and_set(order) } noexcept -> std::same_as<bool>;
    { object.clear() } noexcept;
    { object.clear(order) } noexcept;
    { constant.wait(value) } noexcept;
    { constant.wait(value, order) } noexcept;
    { object.notify_one() } noexcept;
    { object.notify_all() } noexcept;
};

/// `P::atomic<T>`, for types that are trivially copyable and have 1, 2, 4, 8 or 16 bytes, and `P::atomic_flag`.
template <class P>
concept supplies_atomic =
    atomic_of<typename P::template atomic<void*>, void*> && atomic_of<typename P::template atomic<bool>, bool> &&
    integer_of<typename P::template atomic<std::uintptr_t>, std::uintptr_t> &&
    integer_of<typename P::template atomic<std::uint32_t>, std::uint32_t> &&
    counter_of<typename P::template atomic<int*>, int*> && is_flag<typename P::atomic_flag>;

/// `P::cell<T>`: plain data shared between threads, with read() and write(). See ordeal::cell.
template <class P>
concept supplies_cell =
    requires(typename P::template cell<int>& object, const typename P::template cell<int>& constant) {
        requires std::default_initializable<typename P::template cell<int>>;
        requires std::convertible_to<int, typename P::template cell<int>>;
        { constant.read() } -> std::same_as<const int&>;
        { object.write() } -> std::same_as<int&>;
    };

/// `P::mutex`: Lockable, and made without arguments.
template <class P>
concept supplies_mutex = requires(typename P::mutex& object) {
    requires std::default_initializable<typename P::mutex>;
    object.lock();
    { object.try_lock() } -> std::convertible_to<bool>;
    object.unlock();
};

/// `P::continuation`: made from a coroutine handle where the coroutine suspends, with the functions of
/// std::coroutine_handle<>. `P::transfer(continuation)`: its handle, to be returned from await_suspend.
template <class P>
concept supplies_continuation =
    std::convertible_to<std::coroutine_handle<>, typename P::continuation> &&
    std::convertible_to<std::nullptr_t, typename P::continuation> &&
    std::default_initializable<typename P::continuation> && std::copyable<typename P::continuation> &&
    std::totally_ordered<typename P::continuation> && std::constructible_from<bool, typename P::continuation> &&
    requires(const typename P::continuation object, void* address) {
        object.resume();
        object();
        object.destroy();
        { object.done() } -> std::same_as<bool>;
        { object.address() } noexcept -> std::same_as<void*>;
        { P::continuation::from_address(address) } -> std::same_as<typename P::continuation>;
        { P::transfer(object) } -> std::same_as<std::coroutine_handle<>>;
    };

/// `P::fence(order)`, a fence as in [atomics.fences]; `P::acquire_fence(atomic)`, one that ThreadSanitizer understands
/// too; and `P::yield()`.
template <class P>
concept supplies_fence_and_yield =
    requires(const typename P::template atomic<std::uint32_t>& object, std::memory_order order) {
        { P::fence(order) } noexcept;
        { P::acquire_fence(object) } noexcept;
        { P::yield() } noexcept;
    };

}  // namespace policy_requirement

/// What production code needs from its surroundings: atomics, shared plain data, a lock, continuations.
/// `std_policy` supplies the real ones; a model policy supplies ones that an engine can explore.
template <class P>
concept atomic_policy = policy_requirement::supplies_atomic<P> && policy_requirement::supplies_cell<P> &&
                        policy_requirement::supplies_mutex<P> && policy_requirement::supplies_continuation<P> &&
                        policy_requirement::supplies_fence_and_yield<P>;

}  // namespace ordeal
