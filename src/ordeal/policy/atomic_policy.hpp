// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstdint>

namespace ordeal {

/// The requirements on a policy, one concept each, so that a compiler's message names the part that is missing.
namespace policy_requirement {

template <class Atomic, class T>
concept atomic_of = requires(Atomic& object, const Atomic& constant, T value) {
    Atomic(value);
    { constant.load(std::memory_order_acquire) } noexcept -> std::same_as<T>;
    { object.store(value, std::memory_order_release) } noexcept;
    { object.exchange(value, std::memory_order_acq_rel) } noexcept -> std::same_as<T>;
    {
        object.compare_exchange_weak(value, value, std::memory_order_release, std::memory_order_acquire)
    } noexcept -> std::same_as<bool>;
    {
        object.compare_exchange_strong(value, value, std::memory_order_release, std::memory_order_acquire)
    } noexcept -> std::same_as<bool>;
    { constant.wait(value, std::memory_order_acquire) } noexcept;
    { object.notify_one() } noexcept;
    { object.notify_all() } noexcept;
};

template <class Atomic, class T>
concept counter_of = atomic_of<Atomic, T> && requires(Atomic& object, T value) {
    { object.fetch_add(value, std::memory_order_relaxed) } noexcept -> std::same_as<T>;
    { object.fetch_sub(value, std::memory_order_release) } noexcept -> std::same_as<T>;
};

/// `P::atomic<T>` with the operations of std::atomic, every order passed explicitly.
template <class P>
concept supplies_atomic =
    atomic_of<typename P::template atomic<void*>, void*> && atomic_of<typename P::template atomic<bool>, bool> &&
    atomic_of<typename P::template atomic<std::uintptr_t>, std::uintptr_t> &&
    counter_of<typename P::template atomic<std::uint32_t>, std::uint32_t>;

/// `P::cell<T>`: plain data shared between threads, with read() and write().
template <class P>
concept supplies_cell =
    requires(typename P::template cell<int>& object, const typename P::template cell<int>& constant) {
        { constant.read() } -> std::same_as<const int&>;
        { object.write() } -> std::same_as<int&>;
    };

/// `P::mutex`: Lockable.
template <class P>
concept supplies_mutex = requires(typename P::mutex& object) {
    object.lock();
    { object.try_lock() } -> std::convertible_to<bool>;
    object.unlock();
};

/// `P::continuation`: made from a coroutine handle where the coroutine suspends.
template <class P>
concept supplies_continuation =
    std::constructible_from<typename P::continuation, std::coroutine_handle<>> &&
    std::default_initializable<typename P::continuation> && std::copyable<typename P::continuation> &&
    requires(typename P::continuation object, void* address) {
        object.resume();
        object.destroy();
        { object.address() } -> std::same_as<void*>;
        { P::continuation::from_address(address) } -> std::same_as<typename P::continuation>;
        { P::transfer(object) } -> std::same_as<std::coroutine_handle<>>;
    };

/// `P::acquire_fence(atomic)` and `P::yield()`.
template <class P>
concept supplies_fence_and_yield = requires(const typename P::template atomic<std::uint32_t>& object) {
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
