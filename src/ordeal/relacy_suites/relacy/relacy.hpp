// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that are written for Relacy Race Detector, compiled by ordeal_add_relacy_tests(): each rl::test_suite for which
// the source has an rl::simulate() is a scenario, and all of its executions are explored. `std` is what it is: what a
// suite tests needs no macro, no wrapper and no argument `$`, and what it has of them does nothing.
//
// The names are Relacy's (https://github.com/dvyukov/relacy).
#pragma once

#ifndef ORDEAL_TRIAL
#error "ordeal: this is for sources of ordeal_add_relacy_tests()"
#endif

#include "ordeal/scenario/scenario.hpp"

#include <cxxabi.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace rl {

// NOLINTBEGIN(readability-identifier-naming,google-explicit-constructor,hicpp-explicit-conversions)

using thread_id_t = int;
using iteration_t = std::uint64_t;
using std::ostringstream;
using std::string;

/// Where an operation is. Nothing is made of it: each operation is where the suite calls it.
struct debug_info {
    constexpr debug_info(const char* = "", const char* = "", unsigned = 0) noexcept {}
};
using debug_info_param = const debug_info&;

/// What a suite declares that its simulation ends with.
enum test_result_e : std::uint8_t {
    test_result_success,
    test_result_until_condition_hit,
    test_result_inconsistent_test_suite,
    test_result_user_assert_failed,
    test_result_user_invariant_failed,
    test_result_data_race,
    test_result_access_to_freed_memory,
    test_result_double_free,
    test_result_memory_leak,
    test_result_resource_leak,
    test_result_unitialized_access,
    test_result_deadlock,
    test_result_livelock,
    test_result_recursion_on_nonrecursive_mutex,
    test_result_unlocking_mutex_wo_ownership,
    test_result_destroying_owned_mutex,
    test_result_double_initialization_of_mutex,
    test_result_usage_of_non_initialized_mutex,
    test_result_mutex_write_to_read_upgrade,
    test_result_mutex_read_to_write_upgrade,
    test_result_double_initialization_of_condvar,
    test_result_usage_of_non_initialized_condvar,
    test_result_double_initialization_of_semaphore,
    test_result_usage_of_non_initialized_semaphore,
    test_result_double_initialization_of_event,
    test_result_usage_of_non_initialized_event,
    test_result_thread_signal,
};

/// Which search Relacy would make.
enum scheduler_type_e : std::uint8_t {
    sched_random,
    sched_bound,
    sched_full,
    sched_count,
    random_scheduler_type = sched_random,
    fair_context_bound_scheduler_type = sched_bound,
    fair_full_search_scheduler_type = sched_full,
    scheduler_type_count
};

inline const char* format(scheduler_type_e type) noexcept {
    constexpr std::array names{"random scheduler", "context bound scheduler", "full search scheduler"};
    return type < sched_count ? names[type] : "";
}

/// How Relacy would search. ordeal explores every execution: --search and --time-budget of its command line say
/// otherwise.
struct test_params {
    iteration_t iteration_count = 1000;
    std::ostream* output_stream = &std::cout;
    std::ostream* progress_stream = &std::cout;
    unsigned progress_output_period = 3;
    bool collect_history = false;
    bool output_history = false;
    scheduler_type_e search_type = random_scheduler_type;
    unsigned context_bound = 1;
    unsigned execution_depth_limit = 2000;
    string initial_state;
    test_result_e test_result = test_result_success;
    iteration_t stop_iteration = 0;
    string test_name;
    string final_state;
};

/// The base of a suite: `thread(unsigned)` is run by each of its threads, after `before()` and before `after()`.
/// `invariant()` is called once, at the end: between any two steps it would race with them.
template <class Derived, thread_id_t StaticThreads, test_result_e Result = test_result_success>
struct test_suite {
    static constexpr thread_id_t dynamic_thread_count = 0;

    struct params {
        static constexpr thread_id_t static_thread_count = StaticThreads;
        static constexpr thread_id_t dynamic_thread_count = Derived::dynamic_thread_count;
        static constexpr thread_id_t thread_count = static_thread_count + dynamic_thread_count;
        static constexpr test_result_e expected_result = Result;
    };

    test_suite() = default;
    test_suite(const test_suite&) = delete;
    test_suite& operator=(const test_suite&) = delete;

    void before() {}
    void after() {}
    void invariant() {}
};

namespace detail {

constexpr ordeal::expectation expectation_of(test_result_e result) noexcept {
    using ordeal::violated;
    using ordeal::violation_kind;
    switch (result) {
        case test_result_success: return ordeal::held;
        case test_result_until_condition_hit: return violated(violation_kind::failed_requirement, "RL_UNTIL: ");
        case test_result_user_assert_failed:
        case test_result_user_invariant_failed: return violated(violation_kind::failed_requirement, "assertion ");
        case test_result_data_race: return violated(violation_kind::data_race);
        case test_result_access_to_freed_memory: return violated(violation_kind::use_after_free);
        case test_result_double_free: return violated(violation_kind::double_free);
        case test_result_memory_leak:
        case test_result_resource_leak: return violated(violation_kind::leak);
        case test_result_unitialized_access: return violated(violation_kind::uninitialised_read);
        case test_result_recursion_on_nonrecursive_mutex:  // the thread waits for itself
        case test_result_deadlock: return violated(violation_kind::deadlock);
        case test_result_livelock: return violated(violation_kind::livelock);
        case test_result_unlocking_mutex_wo_ownership:
            return violated(violation_kind::precondition, "by a thread that does not hold it");
        case test_result_destroying_owned_mutex: return violated(violation_kind::precondition, "while it is locked");
        default: return violated(violation_kind::precondition);
    }
}

template <std::size_t Count>
constexpr std::array<const char*, Count> names_of_threads() noexcept {
    constexpr std::array all{"thread 0",  "thread 1",  "thread 2",  "thread 3", "thread 4",  "thread 5",
                             "thread 6",  "thread 7",  "thread 8",  "thread 9", "thread 10", "thread 11",
                             "thread 12", "thread 13", "thread 14", "thread 15"};
    static_assert(Count <= all.size(), "ordeal: a suite has at most 16 threads");
    std::array<const char*, Count> result{};
    for (std::size_t i = 0; i < Count; ++i) result[i] = all[i];
    return result;
}

inline thread_local unsigned index_of_thread = 0;

/// The scenario of a suite.
template <class Suite>
class suite_scenario {
public:
    static constexpr auto threads = names_of_threads<static_cast<std::size_t>(Suite::params::static_thread_count)>();
    static constexpr const char* subject = ORDEAL_TRIAL_NAME;
    static constexpr ordeal::expectation expected = expectation_of(Suite::params::expected_result);

    suite_scenario() { __suite.before(); }
    void run(int thread) {
        index_of_thread = static_cast<unsigned>(thread);
        __suite.thread(static_cast<unsigned>(thread));
    }
    void finish() {
        __suite.invariant();
        __suite.after();
    }

private:
    Suite __suite;  // NOLINT(bugprone-reserved-identifier): such names are left out where objects are named
};

/// "push_against_pop<2>"; a namespace without a name is left out.
inline std::string name_of_suite(const char* mangled) {
    int error = 0;
    char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, &error);
    std::string name = text == nullptr ? mangled : text;
    std::free(text);
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) name.erase(at, unnamed.size());
    // rl::execute() of a function is named as that.
    constexpr std::string_view thunk = "rl::simulate_thunk<&";
    if (name.starts_with(thunk)) name = name.substr(thunk.size(), name.rfind(", ") - thunk.size());
    return name;
}

template <class Suite>
struct registered {
    static const ordeal::detail::scenario_registrar suite;
};
template <class Suite>
const ordeal::detail::scenario_registrar registered<Suite>::suite{&ordeal::detail::describe<suite_scenario<Suite>>,
                                                                  name_of_suite(typeid(Suite).name())};

}  // namespace detail

/// Makes the suite a scenario, before main. A call does nothing: the command line of ordeal says what is searched.
template <class Suite>
bool simulate(test_params& /*params*/) {
    [[maybe_unused]] static const auto* const known = &detail::registered<Suite>::suite;
    return true;
}
template <class Suite>
bool simulate() {
    test_params params;
    return simulate<Suite>(params);
}
using simulate_f = bool (*)(test_params&);

/// A suite of one thread that runs a function, which creates further ones.
template <void (*Function)(), std::size_t Threads>
struct simulate_thunk : test_suite<simulate_thunk<Function, Threads>, 1> {
    static constexpr thread_id_t dynamic_thread_count = static_cast<thread_id_t>(Threads);
    void thread(unsigned) { Function(); }
};
template <void (*Function)(), std::size_t Threads>
bool execute(test_params& params) {
    return simulate<simulate_thunk<Function, Threads>>(params);
}
template <void (*Function)(), std::size_t Threads>
bool execute() {
    return simulate<simulate_thunk<Function, Threads>>();
}

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
inline constexpr memory_order mo_relaxed = std::memory_order_relaxed;
inline constexpr memory_order mo_consume = std::memory_order_consume;
inline constexpr memory_order mo_acquire = std::memory_order_acquire;
inline constexpr memory_order mo_release = std::memory_order_release;
inline constexpr memory_order mo_acq_rel = std::memory_order_acq_rel;
inline constexpr memory_order mo_seq_cst = std::memory_order_seq_cst;

/// A non-atomic object; x($) is x.
template <class T>
class var {
public:
    var() noexcept {}  // as `T value;`: a read of what nobody has written is an uninitialised read
    var(T value) : __value(value) {}
    var(const var& other) : __value(other.__value) {}

    var& operator()(debug_info_param) noexcept { return *this; }
    const var& operator()(debug_info_param) const noexcept { return *this; }

    T load(debug_info_param = {}) const { return __value; }
    void store(T value, debug_info_param = {}) { __value = value; }
    operator T() const { return __value; }
    T operator->() const { return __value; }
    decltype(auto) operator*() const
        requires std::is_pointer_v<T>
    {
        return *__value;
    }
    var& operator=(const var& other) {
        __value = other.__value;
        return *this;
    }
    var& operator=(T value) {
        __value = value;
        return *this;
    }
    T operator++() { return ++__value; }
    T operator++(int) { return __value++; }
    T operator--() { return --__value; }
    T operator--(int) { return __value--; }
    template <class Other>
    T operator+=(Other other) {
        return __value += other;
    }
    template <class Other>
    T operator-=(Other other) {
        return __value -= other;
    }
    template <class Other>
    T operator&=(Other other) {
        return __value &= other;
    }
    template <class Other>
    T operator|=(Other other) {
        return __value |= other;
    }
    template <class Other>
    T operator^=(Other other) {
        return __value ^= other;
    }

private:
    T __value;  // NOLINT(bugprone-reserved-identifier): as above
};

/// std::atomic, which may be called with `$`.
template <class T>
class atomic : public std::atomic<T> {
    using base = std::atomic<T>;

public:
    atomic() = default;
    constexpr atomic(T value) noexcept : base(value) {}

    atomic& operator()(debug_info_param) noexcept { return *this; }
    const atomic& operator()(debug_info_param) const noexcept { return *this; }

    using base::operator=;
    using base::compare_exchange_strong;
    using base::compare_exchange_weak;
    using base::exchange;
    using base::load;
    using base::store;

    T load(memory_order order, debug_info_param) const { return base::load(order); }
    void store(T value, memory_order order, debug_info_param) { base::store(value, order); }
    T exchange(T value, memory_order order, debug_info_param) { return base::exchange(value, order); }
    T swap(T value, memory_order order = std::memory_order_seq_cst, debug_info_param = {}) {
        return base::exchange(value, order);
    }
    bool compare_exchange_weak(T& expected, T desired, memory_order order, debug_info_param) {
        return base::compare_exchange_weak(expected, desired, order);
    }
    bool compare_exchange_weak(T& expected, T desired, memory_order order, debug_info_param, memory_order failure,
                               debug_info_param) {
        return base::compare_exchange_weak(expected, desired, order, failure);
    }
    bool compare_exchange_strong(T& expected, T desired, memory_order order, debug_info_param) {
        return base::compare_exchange_strong(expected, desired, order);
    }
    bool compare_exchange_strong(T& expected, T desired, memory_order order, debug_info_param, memory_order failure,
                                 debug_info_param) {
        return base::compare_exchange_strong(expected, desired, order, failure);
    }
    // Older names.
    bool compare_exchange(T& expected, T desired, memory_order order = std::memory_order_seq_cst,
                          debug_info_param = {}) {
        return base::compare_exchange_strong(expected, desired, order);
    }
    bool compare_swap(T& expected, T desired, memory_order order = std::memory_order_seq_cst, debug_info_param = {}) {
        return base::compare_exchange_strong(expected, desired, order);
    }

    template <class Other>
    T fetch_add(Other other, memory_order order = std::memory_order_seq_cst, debug_info_param = {}) {
        if constexpr (requires(base& of) { of.fetch_add(other); }) {
            return base::fetch_add(other, order);
        } else {
            return exchange_until(order, [&](const T& before) { return before + other; });
        }
    }
    template <class Other>
    T fetch_sub(Other other, memory_order order = std::memory_order_seq_cst, debug_info_param = {}) {
        if constexpr (requires(base& of) { of.fetch_sub(other); }) {
            return base::fetch_sub(other, order);
        } else {
            return exchange_until(order, [&](const T& before) { return before - other; });
        }
    }
    template <class Other>
    T fetch_and(Other other, memory_order order = std::memory_order_seq_cst, debug_info_param = {})
        requires requires(base& of) { of.fetch_and(other); }
    {
        return base::fetch_and(other, order);
    }
    template <class Other>
    T fetch_or(Other other, memory_order order = std::memory_order_seq_cst, debug_info_param = {})
        requires requires(base& of) { of.fetch_or(other); }
    {
        return base::fetch_or(other, order);
    }
    template <class Other>
    T fetch_xor(Other other, memory_order order = std::memory_order_seq_cst, debug_info_param = {})
        requires requires(base& of) { of.fetch_xor(other); }
    {
        return base::fetch_xor(other, order);
    }

private:
    // Of a class with operators of its own, for which std has no such operation.
    template <class Change>
    T exchange_until(memory_order order, Change change) {
        T before = base::load(std::memory_order_relaxed);
        while (!base::compare_exchange_strong(before, change(before), order, std::memory_order_relaxed)) {
        }
        return before;
    }
};

using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_size_t = atomic<std::size_t>;
using atomic_intptr_t = atomic<std::intptr_t>;
using atomic_uintptr_t = atomic<std::uintptr_t>;

inline void atomic_thread_fence(memory_order order, debug_info_param = {}) { std::atomic_thread_fence(order); }
inline void atomic_signal_fence(memory_order order, debug_info_param = {}) { std::atomic_signal_fence(order); }

/// A mutex of the standard library, which may be called with `$`.
template <class Mutex>
class mutex_with_places : public Mutex {
public:
    using Mutex::lock;
    using Mutex::try_lock;
    using Mutex::unlock;
    void lock(debug_info_param) { Mutex::lock(); }
    bool try_lock(debug_info_param) { return Mutex::try_lock(); }
    void unlock(debug_info_param) { Mutex::unlock(); }
};
using mutex = mutex_with_places<std::mutex>;
using recursive_mutex = mutex_with_places<std::recursive_mutex>;

/// A condition variable of the standard library, which may be called with `$`, and whose lock may be the mutex itself.
template <class Base>
class condition_variable_with_places : public Base {
public:
    using Base::notify_all;
    using Base::notify_one;
    void notify_one(debug_info_param) { Base::notify_one(); }
    void notify_all(debug_info_param) { Base::notify_all(); }

    template <class Lock>
    void wait(Lock& lock) {
        Base& self = *this;
        as_lock(lock, [&self](auto& own) { self.wait(own); });
    }
    template <class Lock>
    void wait(Lock& lock, debug_info_param) {
        wait(lock);
    }
    template <class Lock, class Predicate>
    void wait(Lock& lock, Predicate predicate, debug_info_param = {}) {
        while (!predicate()) wait(lock);
    }
    // As in std.
    template <class Lock, class Duration>
    std::cv_status wait_for(Lock& lock, const Duration& duration) {
        Base& self = *this;
        return as_lock(lock, [&self, &duration](auto& own) { return self.wait_for(own, duration); });
    }
    template <class Lock, class Duration, class Predicate>
    bool wait_for(Lock& lock, const Duration& duration, Predicate predicate) {
        Base& self = *this;
        return as_lock(lock, [&](auto& own) { return self.wait_for(own, duration, predicate); });
    }
    template <class Lock, class Time>
    std::cv_status wait_until(Lock& lock, const Time& time) {
        Base& self = *this;
        return as_lock(lock, [&self, &time](auto& own) { return self.wait_until(own, time); });
    }
    template <class Lock, class Time, class Predicate>
    bool wait_until(Lock& lock, const Time& time, Predicate predicate) {
        Base& self = *this;
        return as_lock(lock, [&](auto& own) { return self.wait_until(own, time, predicate); });
    }
    // With `$`, where suites have numbers of any type for a time. It is virtual, so that any will do.
    template <class Lock, class Time>
    bool wait_for(Lock& lock, const Time& /*time*/, debug_info) {
        return wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::no_timeout;
    }
    template <class Lock, class Time, class Predicate>
    bool wait_for(Lock& lock, const Time& /*time*/, Predicate predicate, debug_info) {
        return wait_for(lock, std::chrono::milliseconds(1), predicate);
    }
    template <class Lock, class Time>
    bool wait_until(Lock& lock, const Time& time, debug_info place) {
        return wait_for(lock, time, place);
    }
    template <class Lock, class Time, class Predicate>
    bool wait_until(Lock& lock, const Time& time, Predicate predicate, debug_info place) {
        return wait_for(lock, time, predicate, place);
    }

private:
    // std::condition_variable has one type of lock.
    template <class Lock, class Call>
    static auto as_lock(Lock& lock, Call call) {
        if constexpr (std::is_same_v<Base, std::condition_variable_any> ||
                      std::is_same_v<Lock, std::unique_lock<std::mutex>>) {
            return call(lock);
        } else {
            std::unique_lock<std::mutex> own(mutex_of(lock), std::adopt_lock);
            struct give_back {
                std::unique_lock<std::mutex>& lock;
                ~give_back() { lock.release(); }
            } const at_end{own};
            return call(own);
        }
    }
    static std::mutex& mutex_of(std::mutex& lock) { return lock; }
    template <class Mutex>
    static std::mutex& mutex_of(std::unique_lock<Mutex>& lock) {
        return *lock.mutex();
    }
};
using condition_variable = condition_variable_with_places<std::condition_variable>;
using condition_variable_any = condition_variable_with_places<std::condition_variable_any>;

/// A thread that the suite starts itself.
class dyn_thread {
public:
    dyn_thread() = default;
    dyn_thread(const dyn_thread&) = delete;
    dyn_thread& operator=(const dyn_thread&) = delete;
    void start(void* (*function)(void*), void* argument) {
        thread_ = std::thread([=] { (void)function(argument); });
    }
    void join() { thread_.join(); }

private:
    std::thread thread_;
};

/// A value for each thread, null or zero at first.
template <class T>
class thread_local_var {
    static_assert(sizeof(T) <= sizeof(void*), "ordeal: a value that fits into a pointer");

public:
    thread_local_var() { pthread_key_create(&key_, nullptr); }
    ~thread_local_var() { pthread_key_delete(key_); }
    thread_local_var(const thread_local_var&) = delete;
    thread_local_var& operator=(const thread_local_var&) = delete;

    thread_local_var& operator()(debug_info_param) noexcept { return *this; }
    void set(T value, debug_info_param = {}) { pthread_setspecific(key_, (void*)(std::intptr_t)value); }
    [[nodiscard]] T get(debug_info_param = {}) const { return (T)(std::intptr_t)pthread_getspecific(key_); }
    operator T() const { return get(); }
    T operator->() const { return get(); }
    thread_local_var& operator=(T value) {
        set(value);
        return *this;
    }

private:
    pthread_key_t key_{};
};

inline void yield(unsigned /*count*/ = 1, debug_info_param = {}) { std::this_thread::yield(); }

template <unsigned Factor, unsigned Summand>
class backoff_t {
public:
    void yield(debug_info_param = {}) { std::this_thread::yield(); }
};
using backoff = backoff_t<1, 0>;
using linear_backoff = backoff_t<1, 1>;
using exp_backoff = backoff_t<2, 0>;

/// Any number below `limit`, each in executions of its own: what a load finds of what another thread stores meanwhile.
inline unsigned rand(unsigned limit) {
    std::atomic<unsigned> number{0};
    std::thread others([&] {
        for (unsigned each = 1; each < limit; ++each) number.store(each, std::memory_order_relaxed);
    });
    const unsigned result = number.load(std::memory_order_relaxed);
    others.join();
    return result;
}

/// The same in all executions in which the thread has done the same.
inline std::size_t hash_ptr(const void* pointer, std::size_t size) noexcept {
    return reinterpret_cast<std::uintptr_t>(pointer) / alignof(std::max_align_t) % size;
}

/// The number of the thread in its suite, from 0.
inline unsigned thread_index() noexcept { return detail::index_of_thread; }

// NOLINTEND(readability-identifier-naming,google-explicit-constructor,hicpp-explicit-conversions)

}  // namespace rl

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define $ (::rl::debug_info())
#define VAR_T(T) ::rl::var<T>
#define TLS_T(T) ::rl::thread_local_var<T>
#define VAR(x) x($)

#define RL_ASSERT(condition) ::ordeal::require(static_cast<bool>(condition), "assertion '" #condition "' failed")
#define RL_VERIFY(condition) RL_ASSERT(condition)
/// Ends the search where the condition holds: a suite with it declares that some execution comes to it.
#define RL_UNTIL(condition) ::ordeal::require(!static_cast<bool>(condition), "RL_UNTIL: '" #condition "' holds")
#define RL_LOG(text) static_cast<void>(0)

#define RL_NEW new
#define RL_DELETE(pointer) delete (pointer)
#define RL_NEW_ARR(T, count) (new T[count])
#define RL_DELETE_ARR(pointer) delete[] (pointer)
// NOLINTEND(cppcoreguidelines-macro-usage)
