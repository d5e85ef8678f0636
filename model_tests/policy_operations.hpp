// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/policy/atomic_policy.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

// Every operation of a policy, called once each by one thread. What they return is the same over each policy.
namespace ordeal::policy_operations {

inline constexpr std::array load_orders{std::memory_order_relaxed, std::memory_order_acquire,
                                        std::memory_order_seq_cst};
inline constexpr std::array store_orders{std::memory_order_relaxed, std::memory_order_release,
                                         std::memory_order_seq_cst};
inline constexpr std::array all_orders{std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_release,
                                       std::memory_order_acq_rel, std::memory_order_seq_cst};

enum class colour : std::uint8_t { red, green };
struct point {
    int x;
    int y;
    bool operator==(const point&) const = default;
};

/// What was returned, in words.
class record {
public:
    void operator()(std::uint64_t value) { text_ += std::to_string(value) + ' '; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    std::string text_;
};

/// Loads, stores, exchanges, compare-exchanges, waits that need not wait: of any type.
template <class P, class T>
void any_type(record& seen, T zero, T one, auto number) {
    typename P::template atomic<T> object(zero);
    using atomic = decltype(object);
    static_assert(std::same_as<typename atomic::value_type, T> && atomic::is_always_lock_free);
    const atomic& constant = object;
    seen(constant.is_lock_free());
    seen(number(constant.load()));
    for (const auto order : store_orders) object.store(one, order);
    object.store(one);
    for (const auto order : load_orders) seen(number(constant.load(order)));
    seen(number(object.exchange(zero)));
    for (const auto order : all_orders) seen(number(object.exchange(one, order)));
    T expected = zero;
    for (const auto order : all_orders) seen(object.compare_exchange_strong(expected, one, order));
    for (const auto order : load_orders) {
        expected = zero;
        seen(object.compare_exchange_strong(expected, zero, std::memory_order_acq_rel, order));
        seen(number(expected));
        seen(object.compare_exchange_weak(expected = zero, one, std::memory_order_release, order));
    }
    for (const auto order : all_orders) seen(object.compare_exchange_weak(expected = zero, one, order));
    seen(object.compare_exchange_weak(expected = zero, one));
    seen(object.compare_exchange_strong(expected = one, zero));
    for (const auto order : load_orders) constant.wait(one, order);
    constant.wait(one);
    object.notify_one();
    object.notify_all();
    seen(number(constant.load()));
}

template <class P, class T>
void counter(record& seen, T initial, auto number) {
    typename P::template atomic<T> object(initial);
    using difference = typename decltype(object)::difference_type;
    for (const auto order : all_orders) seen(number(object.fetch_add(difference{3}, order)));
    for (const auto order : all_orders) seen(number(object.fetch_sub(difference{2}, order)));
    seen(number(object.fetch_add(1)));
    seen(number(object.fetch_sub(2)));
    seen(number(object.load()));
}

template <class P, class T>
void integer(record& seen) {
    const auto number = [](T value) { return static_cast<std::uint64_t>(value); };
    any_type<P, T>(seen, 0, 1, number);
    counter<P, T>(seen, 1, number);
    typename P::template atomic<T> object;
    seen(number(object.load()));  // a value, [atomics.types.operations]
    for (const auto order : all_orders) seen(number(object.fetch_or(6, order)));
    for (const auto order : all_orders) seen(number(object.fetch_and(3, order)));
    for (const auto order : all_orders) seen(number(object.fetch_xor(5, order)));
    seen(number(object.fetch_or(8)));
    seen(number(object.fetch_and(9)));
    seen(number(object.fetch_xor(1)));
    seen(number(object.load()));
}

template <class P>
void atomics(record& seen) {
    integer<P, int>(seen);
    integer<P, unsigned char>(seen);
    integer<P, short>(seen);
    integer<P, std::int64_t>(seen);
    integer<P, std::uintptr_t>(seen);
    any_type<P>(seen, false, true, [](bool value) { return std::uint64_t{value}; });
    any_type<P>(seen, colour::red, colour::green, [](colour value) { return static_cast<std::uint64_t>(value); });
    any_type<P>(seen, 0.0, 1.0, [](double value) { return static_cast<std::uint64_t>(value); });
    any_type<P>(seen, 0.0F, 1.0F, [](float value) { return static_cast<std::uint64_t>(value); });
    any_type<P>(seen, point{0, 0}, point{1, 1}, [](point value) { return std::bit_cast<std::uint64_t>(value); });
    int row[32]{};
    const auto index = [&](const int* value) { return static_cast<std::uint64_t>(value - row); };
    any_type<P>(seen, &row[0], &row[1], index);
    counter<P>(seen, &row[4], index);
    any_type<P, void*>(seen, nullptr, row, [](void* value) { return std::uint64_t{value != nullptr}; });
    typename P::template atomic<int> several[2]{1, 2};
    std::array<typename P::template atomic<int>, 2> more{3, 4};
    for (const auto* each : {several, more.data()}) seen(static_cast<std::uint64_t>(each[0].load() + each[1].load()));
}

template <class P>
void flags(record& seen) {
    typename P::atomic_flag flag;
    const auto& constant = flag;
    seen(constant.test());
    seen(flag.test_and_set());
    for (const auto order : load_orders) seen(constant.test(order));
    for (const auto order : all_orders) seen(flag.test_and_set(order));
    flag.clear();
    for (const auto order : store_orders) flag.clear(order);
    for (const auto order : load_orders) constant.wait(true, order);
    constant.wait(true);
    flag.notify_one();
    flag.notify_all();
    typename P::atomic_flag several[2]{};
    seen(several[1].test());
}

/// Arrays of cells and cells of arrays, with and without initial values.
template <class P>
void cells(record& seen) {
    const auto sum = [&](auto& of) {
        std::uint64_t result = 0;
        for (auto& each : of) {
            each.write() += 1;
            result += static_cast<std::uint64_t>(std::as_const(each).read());
        }
        seen(result);
    };
    typename P::template cell<int> initialised[2]{1, 2};
    typename P::template cell<int> copied[2] = {3, 4};
    std::array<typename P::template cell<int>, 2> in_array{5, 6};
    typename P::template cell<int> none[2];
    typename P::template cell<int> no_value[2]{};
    std::array<typename P::template cell<int>, 2> no_array;
    std::array<typename P::template cell<int>, 2> no_array_value{};
    for (auto* each : {none, no_value, no_array.data(), no_array_value.data()}) each[0].write() = each[1].write() = 7;
    sum(initialised);
    sum(copied);
    sum(in_array);
    sum(none);
    sum(no_value);
    sum(no_array);
    sum(no_array_value);
    typename P::template cell<std::array<int, 2>> braces{{8, 9}};
    typename P::template cell<std::array<int, 2>> from_array{std::array{10, 11}};
    typename P::template cell<std::array<int, 2>> later;
    later.write() = {12, 13};
    for (const auto* each : {&braces, &from_array, &later}) seen(static_cast<std::uint64_t>(each->read()[1]));
    typename P::template cell<point> aggregate{{14, 15}};
    typename P::template cell<std::string> text = "text";
    seen(static_cast<std::uint64_t>(aggregate.read().y) + text.read().size());
}

template <class P>
void mutexes(record& seen) {
    typename P::mutex mutex;
    mutex.lock();
    mutex.unlock();
    seen(mutex.try_lock());
    mutex.unlock();
    typename P::mutex several[2]{};
    std::array<typename P::mutex, 2> more{};
    const std::lock_guard one(several[0]);
    const std::scoped_lock two(several[1], more[0]);
    std::unique_lock three(more[1], std::try_to_lock);
    seen(three.owns_lock());
}

/// A coroutine that counts how often it is resumed, until it is destroyed or ends after the second time.
struct counting {
    struct promise_type {
        counting get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        static std::suspend_always initial_suspend() noexcept { return {}; }
        static std::suspend_always final_suspend() noexcept { return {}; }
        static void return_void() noexcept {}
        static void unhandled_exception() noexcept {}
    };
    std::coroutine_handle<promise_type> handle;
};

/// Suspends the coroutine as a continuation of the policy, where it can be taken from.
template <class P>
struct park {
    typename P::continuation& place;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> self) { place = self; }
    void await_resume() const noexcept {}
};

template <class P>
counting count_twice(typename P::continuation& place, int& count) {
    ++count;
    co_await park<P>{place};
    ++count;
    co_await park<P>{place};
}

/// As it stands after its first step.
template <class P>
void counting_started(typename P::continuation& place, int& count) {
    typename P::continuation(count_twice<P>(place, count).handle).resume();
}

/// Leaves a continuation that is resumed at once: whoever has it later has one of a coroutine that runs.
template <class P>
struct park_and_go_on {
    typename P::continuation& place;
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    [[nodiscard]] std::coroutine_handle<> await_suspend(std::coroutine_handle<> self) {
        place = self;
        return P::transfer(place);
    }
    void await_resume() const noexcept {}
};

template <class P>
void continuations(record& seen) {
    using continuation = typename P::continuation;
    continuation none;
    const continuation null = nullptr;
    seen(static_cast<bool>(none));
    seen(none == null);
    seen(none != null);
    seen(none < null || none > null);

    int count = 0;
    continuation parked;
    continuation first = count_twice<P>(parked, count).handle;  // as it suspends at its begin
    first.resume();
    seen(static_cast<std::uint64_t>(count));
    seen(parked == first && parked.address() == first.address() && static_cast<bool>(parked));
    seen(continuation::from_address(parked.address()) == parked);
    seen(parked.done());
    parked();
    seen(static_cast<std::uint64_t>(count));
    parked.destroy();
    parked = nullptr;
    seen(parked == none);

    const continuation noop = std::noop_coroutine();
    for (int i = 0; i < 3; ++i) noop.resume();
    noop();
    seen(noop.done());
    seen(P::transfer(noop).address() == noop.address());
}

template <class P>
void fences_and_yield(record& seen) {
    const typename P::template atomic<std::uint32_t> object(1);
    for (const auto order : all_orders) P::fence(order);
    P::acquire_fence(object);
    P::yield();
    seen(object.load());
}

template <class P>
[[nodiscard]] std::string all() {
    record seen;
    atomics<P>(seen);
    flags<P>(seen);
    cells<P>(seen);
    mutexes<P>(seen);
    continuations<P>(seen);
    fences_and_yield<P>(seen);
    return seen.text();
}

}  // namespace ordeal::policy_operations
