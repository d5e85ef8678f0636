// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_interface.hpp"
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/policy/cell.hpp"
#include "ordeal/policy/std_policy.hpp"
#include "ordeal/real/jitter.hpp"

#include <atomic>
#include <coroutine>
#include <mutex>
#include <source_location>

namespace ordeal {

namespace detail {

/// std::atomic with a seeded delay before each operation, and orders that can be replaced at run time.
template <class T>
class jitter_atomic : public refused_operations<T> {
    using where = std::source_location;

public:
    using refused_operations<T>::operator=;
    using value_type = T;
    static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

    jitter_atomic(T initial = T()) noexcept : value_(initial) {}  // NOLINT: implicit, as std::atomic
    jitter_atomic(const jitter_atomic&) = delete;
    jitter_atomic& operator=(const jitter_atomic&) = delete;

    [[nodiscard]] bool is_lock_free() const noexcept { return value_.is_lock_free(); }

    T load(std::memory_order order = std::memory_order_seq_cst, const where& at = where::current()) const noexcept {
        return value_.load(in_force(role::load, order, at));
    }
    void store(T value, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept {
        value_.store(value, in_force(role::store, order, at));
    }
    T exchange(T value, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept {
        return value_.exchange(value, in_force(role::exchange, order, at));
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               const where& at = where::current()) noexcept {
        return value_.compare_exchange_weak(expected, desired, in_force(role::success, success, at),
                                            jitter::effective(at, role::failure, failure));
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                                 const where& at = where::current()) noexcept {
        return value_.compare_exchange_strong(expected, desired, in_force(role::success, success, at),
                                              jitter::effective(at, role::failure, failure));
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
        return value_.fetch_add(operand, in_force(role::fetch, order, at));
    }
    template <atomic_counter U = T>
    T fetch_sub(atomic_difference_t<U> operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept {
        return value_.fetch_sub(operand, in_force(role::fetch, order, at));
    }
    T fetch_and(T operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept
        requires atomic_integer<T>
    {
        return value_.fetch_and(operand, in_force(role::fetch, order, at));
    }
    T fetch_or(T operand, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept
        requires atomic_integer<T>
    {
        return value_.fetch_or(operand, in_force(role::fetch, order, at));
    }
    T fetch_xor(T operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept
        requires atomic_integer<T>
    {
        return value_.fetch_xor(operand, in_force(role::fetch, order, at));
    }

    void wait(T old, std::memory_order order = std::memory_order_seq_cst,
              const where& at = where::current()) const noexcept {
        value_.wait(old, in_force(role::load, order, at));
    }
    void notify_one(const where& at = where::current()) noexcept {
        jitter::before(at);
        value_.notify_one();
    }
    void notify_all(const where& at = where::current()) noexcept {
        jitter::before(at);
        value_.notify_all();
    }

private:
    static std::memory_order in_force(role what, std::memory_order declared, const where& at) noexcept {
        jitter::before(at);
        return jitter::effective(at, what, declared);
    }

    std::atomic<T> value_;
};

/// The same for std::atomic_flag.
class jitter_atomic_flag {
    using where = std::source_location;

public:
    jitter_atomic_flag() noexcept = default;

    [[nodiscard]] bool test(std::memory_order order = std::memory_order_seq_cst,
                            const where& at = where::current()) const noexcept {
        return value_.load(order, at);
    }
    bool test_and_set(std::memory_order order = std::memory_order_seq_cst,
                      const where& at = where::current()) noexcept {
        return value_.exchange(true, order, at);
    }
    void clear(std::memory_order order = std::memory_order_seq_cst, const where& at = where::current()) noexcept {
        value_.store(false, order, at);
    }
    void wait(bool old, std::memory_order order = std::memory_order_seq_cst,
              const where& at = where::current()) const noexcept {
        value_.wait(old, order, at);
    }
    void notify_one(const where& at = where::current()) noexcept { value_.notify_one(at); }
    void notify_all(const where& at = where::current()) noexcept { value_.notify_all(at); }

private:
    jitter_atomic<bool> value_{false};
};

/// std::mutex with a seeded delay before each operation.
class jitter_mutex {
    using where = std::source_location;

public:
    void lock(const where& at = where::current()) {
        jitter::before(at);
        mutex_.lock();
    }
    [[nodiscard]] bool try_lock(const where& at = where::current()) {
        jitter::before(at);
        return mutex_.try_lock();
    }
    void unlock(const where& at = where::current()) {
        jitter::before(at);
        mutex_.unlock();
    }

private:
    std::mutex mutex_;
};

}  // namespace detail

/// The policy for real threads in tests: the standard library's types with seeded delays at every operation, so that
/// short races occur in both orders. Non-atomic data and frames are exactly those of production.
struct jitter_policy {
    template <class T>
    using atomic = detail::jitter_atomic<T>;
    using atomic_flag = detail::jitter_atomic_flag;
    template <class T>
    using cell = ordeal::cell<T>;
    using mutex = detail::jitter_mutex;
    using continuation = std_policy::continuation;

    [[nodiscard]] static std::coroutine_handle<> transfer(continuation next) noexcept { return next; }

    template <class Atomic>
    static void acquire_fence(const Atomic& atomic,
                              const std::source_location& at = std::source_location::current()) noexcept {
        jitter::before(at);
        if (jitter::effective(at, role::fence, std::memory_order_acquire) == std::memory_order_relaxed) return;
        std_policy::acquire_fence(atomic);
    }
    static void yield(const std::source_location& at = std::source_location::current()) noexcept {
        jitter::before(at);
        std_policy::yield();
    }
    /// A fence as in [atomics.fences]; ThreadSanitizer does not see it.
    static void fence(std::memory_order order,
                      const std::source_location& at = std::source_location::current()) noexcept {
        jitter::before(at);
        std::atomic_thread_fence(jitter::effective(at, role::fence, order));
    }
};

static_assert(atomic_policy<jitter_policy>);

}  // namespace ordeal
