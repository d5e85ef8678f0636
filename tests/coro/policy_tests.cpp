// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/policy/atomic_policy.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <compare>
#include <coroutine>
#include <cstddef>
#include <mutex>
#include <type_traits>

// Each policy below is std_policy with one thing missing or wrong. The concept must reject it, and the requirement
// that is named for that part must be the one that fails.
namespace {

using namespace ordeal::policy_requirement;
using ordeal::atomic_policy;
using ordeal::std_policy;

struct complete : std_policy {};

// How many of the five requirements a policy fails.
template <class P>
constexpr int failed = !supplies_atomic<P> + !supplies_cell<P> + !supplies_mutex<P> + !supplies_continuation<P> +
                       !supplies_fence_and_yield<P>;

struct no_atomic {
    using atomic_flag = std::atomic_flag;
    template <class T>
    using cell = ordeal::cell<T>;
    using mutex = std::mutex;
    using continuation = std::coroutine_handle<>;
    static std::coroutine_handle<> transfer(continuation next) noexcept { return next; }
    template <class Atomic>
    static void acquire_fence(const Atomic&) noexcept {}
    static void yield() noexcept {}
    static void fence(std::memory_order) noexcept {}
};

struct no_cell {
    template <class T>
    using atomic = std::atomic<T>;
    using atomic_flag = std::atomic_flag;
    using mutex = std::mutex;
    using continuation = std::coroutine_handle<>;
    static std::coroutine_handle<> transfer(continuation next) noexcept { return next; }
    template <class Atomic>
    static void acquire_fence(const Atomic&) noexcept {}
    static void yield() noexcept {}
    static void fence(std::memory_order) noexcept {}
};

// An atomic whose operations can be taken away one at a time.
enum class lacks {
    nothing,
    default_constructor,
    load,
    store,
    exchange,
    weak,
    strong,
    one_order,
    wait,
    notify_one,
    notify_all,
    add,
    subtract,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    no_throw
};

template <class T, lacks What>
class partial_atomic : std::atomic<T> {
    using base = std::atomic<T>;

    static constexpr auto seq_cst = std::memory_order_seq_cst;

public:
    using base::is_always_lock_free;
    using base::is_lock_free;
    using typename base::difference_type;
    using typename base::value_type;

    partial_atomic()
        requires(What != lacks::default_constructor)
    = default;
    partial_atomic(T value) : base(value) {}
    T load(std::memory_order order = seq_cst) const noexcept(What != lacks::no_throw)
        requires(What != lacks::load)
    {
        return base::load(order);
    }
    void store(T value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::store)
    {
        base::store(value, order);
    }
    T exchange(T value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::exchange)
    {
        return base::exchange(value, order);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure) noexcept
        requires(What != lacks::weak)
    {
        return base::compare_exchange_weak(expected, desired, success, failure);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::weak && What != lacks::one_order)
    {
        return base::compare_exchange_weak(expected, desired, order);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::strong)
    {
        return base::compare_exchange_strong(expected, desired, order);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure) noexcept
        requires(What != lacks::strong)
    {
        return base::compare_exchange_strong(expected, desired, success, failure);
    }
    void wait(T old, std::memory_order order = seq_cst) const noexcept
        requires(What != lacks::wait)
    {
        base::wait(old, order);
    }
    void notify_one() noexcept
        requires(What != lacks::notify_one)
    {
        base::notify_one();
    }
    void notify_all() noexcept
        requires(What != lacks::notify_all)
    {
        base::notify_all();
    }
    T fetch_add(difference_type value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::add)
    {
        return base::fetch_add(value, order);
    }
    T fetch_sub(difference_type value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::subtract)
    {
        return base::fetch_sub(value, order);
    }
    T fetch_and(T value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::bitwise_and && std::is_integral_v<T>)
    {
        return base::fetch_and(value, order);
    }
    T fetch_or(T value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::bitwise_or && std::is_integral_v<T>)
    {
        return base::fetch_or(value, order);
    }
    T fetch_xor(T value, std::memory_order order = seq_cst) noexcept
        requires(What != lacks::bitwise_xor && std::is_integral_v<T>)
    {
        return base::fetch_xor(value, order);
    }
};

template <lacks What>
struct with_partial_atomic : std_policy {
    template <class T>
    using atomic = std::conditional_t<std::is_same_v<T, bool> || std::is_void_v<std::remove_pointer_t<T>>,
                                      std::atomic<T>, partial_atomic<T, What>>;
};

struct no_flag : std_policy {
    using atomic_flag = bool;
};

template <class T>
struct cell_without_read {
    cell_without_read() = default;
    cell_without_read(T);
    T& write() noexcept;
};
template <class T>
struct cell_without_write {
    cell_without_write() = default;
    cell_without_write(T);
    const T& read() const noexcept;
};
template <class T>
struct cell_read_by_value {
    cell_read_by_value() = default;
    cell_read_by_value(T);
    T read() const noexcept;
    T& write() noexcept;
};

template <class T>
struct cell_made_explicitly {
    cell_made_explicitly() = default;
    explicit cell_made_explicitly(T);
    const T& read() const noexcept;
    T& write() noexcept;
};

struct cells_unreadable : std_policy {
    template <class T>
    using cell = cell_without_read<T>;
};
struct cells_unwritable : std_policy {
    template <class T>
    using cell = cell_without_write<T>;
};
struct cells_copied_out : std_policy {
    template <class T>
    using cell = cell_read_by_value<T>;
};

struct cells_made_explicitly : std_policy {
    template <class T>
    using cell = cell_made_explicitly<T>;
};

struct no_mutex : std_policy {
    using mutex = void;
};
struct basic_lock {
    void lock();
    void unlock();
};
struct mutex_without_try_lock : std_policy {
    using mutex = basic_lock;
};
struct one_way_lock {
    void lock();
    bool try_lock();
};
struct mutex_without_unlock : std_policy {
    using mutex = one_way_lock;
};

struct no_continuation : std_policy {
    using continuation = void;
};
// A continuation whose functions can be taken away one at a time.
enum class misses { nothing, handle, null, comparison, from_address, done, call, destroy };

template <misses What>
struct partial_continuation {
    partial_continuation() = default;
    partial_continuation(std::nullptr_t)
        requires(What != misses::null);
    partial_continuation(std::coroutine_handle<>)
        requires(What != misses::handle);
    void resume() const;
    void operator()() const
        requires(What != misses::call);
    void destroy() const
        requires(What != misses::destroy);
    bool done() const
        requires(What != misses::done);
    void* address() const noexcept;
    static partial_continuation from_address(void*)
        requires(What != misses::from_address);
    explicit operator bool() const;
    auto operator<=>(const partial_continuation&) const
        requires(What != misses::comparison)
    = default;
};
template <misses What>
struct with_partial_continuation : std_policy {
    using continuation = partial_continuation<What>;
    static std::coroutine_handle<> transfer(continuation);
};
struct no_transfer : std_policy {
    static void transfer() = delete;
};

struct no_fence : std_policy {
    static void fence() = delete;
};
struct no_acquire_fence : std_policy {
    static void acquire_fence() = delete;
};
struct no_yield : std_policy {
    static void yield() = delete;
};
struct throwing_yield : std_policy {
    static void yield();
};
struct throwing_fence : std_policy {
    template <class Atomic>
    static void acquire_fence(const Atomic&);
};

}  // namespace

TEST_CASE("atomic_policy accepts std_policy and what derives from it") {
    STATIC_REQUIRE(atomic_policy<std_policy>);
    STATIC_REQUIRE(atomic_policy<complete>);
    STATIC_REQUIRE(failed<complete> == 0);
    STATIC_REQUIRE_FALSE(atomic_policy<int>);
    STATIC_REQUIRE(failed<int> == 5);
}

TEST_CASE("atomic_policy rejects a policy without atomics") {
    STATIC_REQUIRE_FALSE(atomic_policy<no_atomic>);
    STATIC_REQUIRE_FALSE(supplies_atomic<no_atomic>);
}

TEST_CASE("atomic_policy rejects an atomic that lacks an operation") {
    STATIC_REQUIRE(atomic_policy<with_partial_atomic<lacks::nothing>>);  // positive control
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::load>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::store>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::exchange>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::weak>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::strong>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::wait>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::notify_one>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::notify_all>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::add>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::subtract>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::default_constructor>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::one_order>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::bitwise_and>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::bitwise_or>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::bitwise_xor>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<with_partial_atomic<lacks::no_throw>>);
    STATIC_REQUIRE_FALSE(supplies_atomic<no_flag>);
}

TEST_CASE("atomic_policy rejects a policy whose cells are missing, unreadable, unwritable or copied out") {
    STATIC_REQUIRE_FALSE(atomic_policy<no_cell>);
    STATIC_REQUIRE_FALSE(supplies_cell<no_cell>);
    STATIC_REQUIRE(failed<no_cell> == 1);
    STATIC_REQUIRE_FALSE(supplies_cell<cells_unreadable>);
    STATIC_REQUIRE_FALSE(supplies_cell<cells_unwritable>);
    STATIC_REQUIRE_FALSE(supplies_cell<cells_copied_out>);
    STATIC_REQUIRE_FALSE(supplies_cell<cells_made_explicitly>);
}

TEST_CASE("atomic_policy rejects a policy whose mutex is missing or not Lockable") {
    STATIC_REQUIRE_FALSE(supplies_mutex<no_mutex>);
    STATIC_REQUIRE_FALSE(supplies_mutex<mutex_without_try_lock>);
    STATIC_REQUIRE_FALSE(supplies_mutex<mutex_without_unlock>);
    STATIC_REQUIRE(failed<mutex_without_try_lock> == 1);
}

TEST_CASE("atomic_policy rejects a policy whose continuation is missing or lacks an operation") {
    STATIC_REQUIRE_FALSE(supplies_continuation<no_continuation>);
    STATIC_REQUIRE(atomic_policy<with_partial_continuation<misses::nothing>>);  // positive control
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::handle>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::null>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::comparison>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::from_address>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::done>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::call>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<with_partial_continuation<misses::destroy>>);
    STATIC_REQUIRE_FALSE(supplies_continuation<no_transfer>);
    STATIC_REQUIRE(failed<no_transfer> == 1);
}

TEST_CASE("atomic_policy rejects a policy without a fence or a yield, or whose fence or yield may throw") {
    STATIC_REQUIRE_FALSE(supplies_fence_and_yield<no_fence>);
    STATIC_REQUIRE_FALSE(supplies_fence_and_yield<no_acquire_fence>);
    STATIC_REQUIRE_FALSE(supplies_fence_and_yield<no_yield>);
    STATIC_REQUIRE_FALSE(supplies_fence_and_yield<throwing_yield>);
    STATIC_REQUIRE_FALSE(supplies_fence_and_yield<throwing_fence>);
    STATIC_REQUIRE(failed<throwing_fence> == 1);
}

TEST_CASE("std_policy hands a continuation on unchanged") {
    const auto noop = std::noop_coroutine();
    CHECK(std_policy::transfer(noop).address() == noop.address());
}
