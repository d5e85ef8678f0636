// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/model/execution.hpp"
#include "ordeal/model/frames.hpp"
#include "ordeal/policy/atomic_policy.hpp"

#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>
#include <utility>

namespace ordeal {

namespace detail {

/// std::atomic's interface over the port. The value lives in the engine; the object is its address.
template <class T>
class model_atomic {
    static_assert(std::is_trivially_copyable_v<T>,
                  "ordeal: an atomic's type must be trivially copyable, as std::atomic requires");
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "ordeal: the model handles atomics of 1, 2, 4 or 8 bytes");
    using where = std::source_location;

public:
    using value_type = T;
    static constexpr bool is_always_lock_free = true;

    model_atomic(T initial = T(), const where& at = where::current()) noexcept {  // NOLINT: implicit, as std::atomic
        port().begin_life(range(), object_kind::atomic, encode(initial), sites().plain_site(at, "construct"));
    }
    ~model_atomic() { port().end_life(range(), no_site); }
    model_atomic(const model_atomic&) = delete;
    model_atomic& operator=(const model_atomic&) = delete;

    [[nodiscard]] bool is_lock_free() const noexcept { return true; }

    T load(std::memory_order order = std::memory_order_seq_cst, const where& at = where::current()) const noexcept {
        return decode(port().load(access(role::load, "load", order, at)));
    }
    void store(T value, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept {
        port().store(access(role::store, "store", order, at), encode(value));
    }
    T exchange(T value, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept {
        return decode(
            port().modify(access(role::exchange, "exchange", order, at), modification::exchange, encode(value)));
    }

    bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               const where& at = where::current()) noexcept {
        return compare_exchange("compare_exchange_weak", true, expected, desired, success, failure, at);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                                 const where& at = where::current()) noexcept {
        return compare_exchange("compare_exchange_strong", false, expected, desired, success, failure, at);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                               const where& at = where::current()) noexcept {
        return compare_exchange_weak(expected, desired, order, failure_of(order), at);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                                 const where& at = where::current()) noexcept {
        return compare_exchange_strong(expected, desired, order, failure_of(order), at);
    }

    template <class Operand>
        requires(std::integral<T> && !std::same_as<T, bool>) || std::is_pointer_v<T>
    T fetch_add(Operand operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept {
        return fetch("fetch_add", modification::add, scaled(operand), order, at);
    }
    template <class Operand>
        requires(std::integral<T> && !std::same_as<T, bool>) || std::is_pointer_v<T>
    T fetch_sub(Operand operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept {
        return fetch("fetch_sub", modification::subtract, scaled(operand), order, at);
    }
    T fetch_and(T operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept
        requires std::integral<T>
    {
        return fetch("fetch_and", modification::bit_and, encode(operand), order, at);
    }
    T fetch_or(T operand, std::memory_order order = std::memory_order_seq_cst,
               const where& at = where::current()) noexcept
        requires std::integral<T>
    {
        return fetch("fetch_or", modification::bit_or, encode(operand), order, at);
    }
    T fetch_xor(T operand, std::memory_order order = std::memory_order_seq_cst,
                const where& at = where::current()) noexcept
        requires std::integral<T>
    {
        return fetch("fetch_xor", modification::bit_xor, encode(operand), order, at);
    }

    void wait(T old, std::memory_order order = std::memory_order_seq_cst,
              const where& at = where::current()) const noexcept {
        port().wait(access(role::load, "wait", order, at), encode(old));
    }
    void notify_one(const where& at = where::current()) noexcept {
        port().notify(range(), false, sites().plain_site(at, "notify_one"));
    }
    void notify_all(const where& at = where::current()) noexcept {
        port().notify(range(), true, sites().plain_site(at, "notify_all"));
    }

private:
    [[nodiscard]] memory_range range() const noexcept { return {reinterpret_cast<std::uintptr_t>(this), sizeof(T)}; }

    [[nodiscard]] static site_id checked_site(role what, std::string_view operation, std::memory_order declared,
                                              const where& at) noexcept {
        const site_id id = sites().atomic_site(at, what, operation, from_std(declared));
        if (!allowed(what, sites().effective(id))) {
            port().fail(violation_kind::failed_requirement, "a memory order that this operation cannot have", id);
        }
        return id;
    }
    [[nodiscard]] atomic_access access(role what, std::string_view operation, std::memory_order declared,
                                       const where& at) const noexcept {
        const site_id id = checked_site(what, operation, declared, at);
        return {range(), sites().effective(id), id};
    }
    [[nodiscard]] T fetch(std::string_view operation, modification how, std::uint64_t operand, std::memory_order order,
                          const where& at) noexcept {
        return decode(port().modify(access(role::fetch, operation, order, at), how, operand));
    }
    [[nodiscard]] bool compare_exchange(std::string_view operation, bool weak, T& expected, T desired,
                                        std::memory_order success, std::memory_order failure,
                                        const where& at) noexcept {
        const site_id failure_site = checked_site(role::failure, operation, failure, at);
        std::uint64_t seen = encode(expected);
        const bool stored =
            port().compare_exchange(access(role::success, operation, success, at), sites().effective(failure_site),
                                    failure_site, weak, seen, encode(desired));
        if (!stored) expected = decode(seen);
        return stored;
    }

    // [atomics.types.operations]/24: acq_rel becomes acquire, release becomes relaxed.
    [[nodiscard]] static std::memory_order failure_of(std::memory_order order) noexcept {
        if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
        if (order == std::memory_order_release) return std::memory_order_relaxed;
        return order;
    }
    template <class Operand>
    [[nodiscard]] static std::uint64_t scaled(Operand operand) noexcept {
        if constexpr (std::is_pointer_v<T>) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(operand) *
                                              static_cast<std::int64_t>(sizeof(std::remove_pointer_t<T>)));
        } else {
            return encode(static_cast<T>(operand));
        }
    }
    [[nodiscard]] static std::uint64_t encode(const T& value) noexcept {
        std::uint64_t word = 0;
        std::memcpy(&word, &value, sizeof(T));  // little endian: the low bytes
        return word;
    }
    [[nodiscard]] static T decode(std::uint64_t word) noexcept {
        std::remove_const_t<T> value;
        std::memcpy(&value, &word, sizeof(T));
        return value;
    }

    alignas(sizeof(T)) std::byte storage_[sizeof(T)];
};

/// `ordeal::cell` with every access checked for races.
template <class T>
class model_cell {
    using where = std::source_location;

public:
    explicit model_cell(const where& at = where::current()) : value_() {
        begin(std::is_class_v<T> || std::is_union_v<T>, at);
    }
    template <class Arg>
        requires(std::is_constructible_v<T, Arg> && !std::same_as<std::remove_cvref_t<Arg>, where>)
    explicit model_cell(Arg&& arg, const where& at = where::current()) : value_(std::forward<Arg>(arg)) {
        begin(true, at);
    }
    ~model_cell() { port().end_life(range(), no_site); }
    model_cell(const model_cell&) = delete;
    model_cell& operator=(const model_cell&) = delete;

    [[nodiscard]] const T& read(const where& at = where::current()) const noexcept {
        port().read(range(), sites().plain_site(at, "read"));
        return value_;
    }
    [[nodiscard]] T& write(const where& at = where::current()) noexcept {
        port().write(range(), sites().plain_site(at, "write"));
        return value_;
    }

private:
    [[nodiscard]] memory_range range() const noexcept { return {reinterpret_cast<std::uintptr_t>(this), sizeof(T)}; }
    void begin(bool initialised, const where& at) noexcept {
        port().begin_life(range(), object_kind::cell, initialised ? 1 : 0, sites().plain_site(at, "construct"));
    }

    T value_;
};

/// A lock of the model: Lockable, not recursive.
class model_mutex {
    using where = std::source_location;

public:
    explicit model_mutex(const where& at = where::current()) noexcept {
        port().begin_life(range(), object_kind::mutex, 0, sites().plain_site(at, "construct"));
    }
    ~model_mutex() { port().end_life(range(), no_site); }
    model_mutex(const model_mutex&) = delete;
    model_mutex& operator=(const model_mutex&) = delete;

    void lock(const where& at = where::current()) { port().lock(range().address, sites().plain_site(at, "lock")); }
    [[nodiscard]] bool try_lock(const where& at = where::current()) {
        return port().try_lock(range().address, sites().plain_site(at, "try_lock"));
    }
    void unlock(const where& at = where::current()) {
        port().unlock(range().address, sites().plain_site(at, "unlock"));
    }

private:
    [[nodiscard]] memory_range range() const noexcept { return {reinterpret_cast<std::uintptr_t>(this), 1}; }

    [[maybe_unused]] std::byte storage_{};
};

/// std::coroutine_handle<> with every change of hands checked. Making one from a handle is the suspension of the
/// coroutine: a write to its frame.
class model_continuation {
    using where = std::source_location;

public:
    constexpr model_continuation() noexcept = default;
    explicit model_continuation(std::coroutine_handle<> suspended, const where& at = where::current())
        : frame_(suspended.address()) {
        frame_suspended(frame_, sites().plain_site(at, "suspend"));
    }

    /// Names a continuation that was made before; no access.
    [[nodiscard]] static model_continuation from_address(void* frame) noexcept {
        model_continuation result;
        result.frame_ = frame;
        return result;
    }
    [[nodiscard]] void* address() const noexcept { return frame_; }
    explicit operator bool() const noexcept { return frame_ != nullptr; }

    void resume(const where& at = where::current()) const {
        frame_resuming(frame_, sites().plain_site(at, "resume"));
        std::coroutine_handle<>::from_address(frame_).resume();
    }
    void destroy(const where& at = where::current()) const {
        frame_destroying(frame_, sites().plain_site(at, "destroy"));
        std::coroutine_handle<>::from_address(frame_).destroy();
    }
    [[nodiscard]] std::coroutine_handle<> transfer(const where& at) const {
        frame_resuming(frame_, sites().plain_site(at, "transfer"));
        return std::coroutine_handle<>::from_address(frame_);
    }

private:
    void* frame_ = nullptr;
};

}  // namespace detail

/// The policy under which an engine explores: the names of std_policy, each operation a call of the port.
struct model_policy {
    template <class T>
    using atomic = detail::model_atomic<T>;
    template <class T>
    using cell = detail::model_cell<T>;
    using mutex = detail::model_mutex;
    using continuation = detail::model_continuation;

    [[nodiscard]] static std::coroutine_handle<> transfer(
        const continuation& next, const std::source_location& at = std::source_location::current()) {
        return next.transfer(at);
    }
    template <class Atomic>
    static void acquire_fence(const Atomic& /*atomic*/,
                              const std::source_location& at = std::source_location::current()) noexcept {
        const site_id id = sites().atomic_site(at, role::fence, "acquire_fence", order::acquire);
        port().fence(sites().effective(id), id);
    }
    static void yield(const std::source_location& at = std::source_location::current()) noexcept {
        port().yield(sites().plain_site(at, "yield"));
    }

    /// A fence as in [atomics.fences], for litmus tests and exhibits; production code uses acquire_fence.
    static void fence(std::memory_order order,
                      const std::source_location& at = std::source_location::current()) noexcept {
        const site_id id = sites().atomic_site(at, role::fence, "fence", from_std(order));
        port().fence(sites().effective(id), id);
    }
};

static_assert(atomic_policy<model_policy>);

}  // namespace ordeal
