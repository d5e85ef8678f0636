// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/policy/std_policy.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <coroutine>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace {

using ordeal::cell;
using ordeal::std_policy;
using ordeal::coro::awaitable_event;
using ordeal::coro::manual_reset_event;
using ordeal::coro::task;

template <class A, class B>
constexpr bool same_layout = sizeof(A) == sizeof(B) && alignof(A) == alignof(B);

struct alignas(32) aligned_pair {
    std::uint64_t first;
    char second;
};

// What one would write by hand: no template, no policy, no cell.
struct plain_event {
    std::atomic<void*> state;
};
struct plain_waiter {
    plain_event& owner;
    plain_waiter* next;
    std::coroutine_handle<> continuation;
};

template <class T>
constexpr bool cell_is_like =
    same_layout<cell<T>, T> && std::is_trivially_destructible_v<cell<T>> == std::is_trivially_destructible_v<T> &&
    std::is_trivially_default_constructible_v<cell<T>> == std::is_trivially_default_constructible_v<T> &&
    std::is_standard_layout_v<cell<T>> == std::is_standard_layout_v<T>;

template <class T>
constexpr bool stays_in_place = !std::is_copy_constructible_v<T> && !std::is_move_constructible_v<T> &&
                                !std::is_copy_assignable_v<T> && !std::is_move_assignable_v<T>;

}  // namespace

TEST_CASE("std_policy supplies the standard library's own types") {
    STATIC_REQUIRE(std::is_same_v<std_policy::atomic<int>, std::atomic<int>>);
    STATIC_REQUIRE(std::is_same_v<std_policy::atomic<void*>, std::atomic<void*>>);
    STATIC_REQUIRE(std::is_same_v<std_policy::mutex, std::mutex>);
    STATIC_REQUIRE(std::is_same_v<std_policy::continuation, std::coroutine_handle<>>);
    STATIC_REQUIRE(std::is_same_v<std_policy::cell<int>, cell<int>>);
    STATIC_REQUIRE(std::is_empty_v<std_policy>);
}

TEST_CASE("a cell has the size, alignment and triviality of what it holds") {
    STATIC_REQUIRE(cell_is_like<char>);
    STATIC_REQUIRE(cell_is_like<int>);
    STATIC_REQUIRE(cell_is_like<void*>);
    STATIC_REQUIRE(cell_is_like<std::coroutine_handle<>>);
    STATIC_REQUIRE(cell_is_like<std::array<char, 3>>);
    STATIC_REQUIRE(cell_is_like<aligned_pair>);
    STATIC_REQUIRE(cell_is_like<std::unique_ptr<int>>);
}

TEST_CASE("a cell hands out the object that it holds, and reads it in a constant expression") {
    constexpr cell<int> constant(7);
    STATIC_REQUIRE(constant.read() == 7);

    cell<std::unique_ptr<int>> owner(std::make_unique<int>(1));
    owner.write() = std::make_unique<int>(2);
    CHECK(*owner.read() == 2);
    CHECK(static_cast<const void*>(&owner.read()) == static_cast<const void*>(&owner));
    CHECK(&owner.read() == &owner.write());
}

TEST_CASE("a cell is built from what its content is built from, and from nothing else") {
    STATIC_REQUIRE(std::is_constructible_v<cell<int*>, std::nullptr_t>);
    STATIC_REQUIRE_FALSE(std::is_constructible_v<cell<int*>, int>);
    STATIC_REQUIRE(std::is_convertible_v<int, cell<int>>);  // as int: an array of cells has initial values
    STATIC_REQUIRE(stays_in_place<cell<int>>);
}

TEST_CASE("manual_reset_event is one atomic word") {
    STATIC_REQUIRE(same_layout<manual_reset_event<>, std::atomic<void*>>);
    STATIC_REQUIRE(std::is_standard_layout_v<manual_reset_event<>>);
    STATIC_REQUIRE(std::is_trivially_destructible_v<manual_reset_event<>>);
    STATIC_REQUIRE(std::atomic<void*>::is_always_lock_free);
}

TEST_CASE("a waiter of manual_reset_event is laid out as a plain struct of three pointers") {
    using waiter = manual_reset_event<>::awaiter;
    STATIC_REQUIRE(same_layout<waiter, plain_waiter>);
    STATIC_REQUIRE(std::is_trivially_destructible_v<waiter>);
    STATIC_REQUIRE(std::is_standard_layout_v<waiter> == std::is_standard_layout_v<plain_waiter>);
}

TEST_CASE("the members of a waiter of manual_reset_event stand in the order of the plain struct") {
    manual_reset_event<> event;
    auto older = event.operator co_await();
    auto newer = event.operator co_await();
    const std::coroutine_handle<> coroutine = std::noop_coroutine();
    REQUIRE(older.await_suspend(coroutine));
    REQUIRE(newer.await_suspend(coroutine));
    std::array<void*, 3> words{};
    std::memcpy(words.data(), static_cast<const void*>(&newer), sizeof newer);
    CHECK(words[0] == &event);
    CHECK(words[1] == &older);
    CHECK(words[2] == coroutine.address());
    event.set();  // resuming the no-op coroutine twice does nothing
}

TEST_CASE("awaitable_event is one pointer, and its waiter a plain struct of three") {
    STATIC_REQUIRE(same_layout<awaitable_event<>, void*>);
    STATIC_REQUIRE(same_layout<awaitable_event<>::awaiter, plain_waiter>);
}

TEST_CASE("task and its awaiter are one pointer, and its state one atomic word") {
    STATIC_REQUIRE(same_layout<task<int>, void*>);
    STATIC_REQUIRE(same_layout<task<int>::awaiter, void*>);
    STATIC_REQUIRE(same_layout<ordeal::coro::detail::task_state<std_policy>, std::atomic<std::uintptr_t>>);
    STATIC_REQUIRE(std::atomic<std::uintptr_t>::is_always_lock_free);
}

TEST_CASE("the words that awaitable_event and sync_wait use are always lock-free") {
    STATIC_REQUIRE(std::atomic<std::uint32_t>::is_always_lock_free);
    STATIC_REQUIRE(std::atomic<bool>::is_always_lock_free);
    STATIC_REQUIRE(same_layout<ordeal::coro::detail::completion_signal<std_policy>, std::atomic<std::uint32_t>>);
}

TEST_CASE("manual_reset_event and every awaiter stay where they are") {
    STATIC_REQUIRE(stays_in_place<manual_reset_event<>>);
    STATIC_REQUIRE(stays_in_place<manual_reset_event<>::awaiter>);
    STATIC_REQUIRE(stays_in_place<awaitable_event<>::awaiter>);
}

TEST_CASE("awaitable_event copies and moves without throwing") {
    STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<awaitable_event<>>);
    STATIC_REQUIRE(std::is_nothrow_copy_assignable_v<awaitable_event<>>);
    STATIC_REQUIRE(std::is_nothrow_move_constructible_v<awaitable_event<>>);
    STATIC_REQUIRE(std::is_nothrow_move_assignable_v<awaitable_event<>>);
    STATIC_REQUIRE(std::is_nothrow_destructible_v<awaitable_event<>>);
}

TEST_CASE("task moves without throwing and does not copy") {
    STATIC_REQUIRE(std::is_nothrow_move_constructible_v<task<int>>);
    STATIC_REQUIRE(std::is_nothrow_move_assignable_v<task<int>>);
    STATIC_REQUIRE(std::is_nothrow_destructible_v<task<int>>);
    STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<task<int>>);
    STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<task<int>>);
    STATIC_REQUIRE_FALSE(std::is_default_constructible_v<task<int>>);
}

TEST_CASE("no operation of manual_reset_event throws") {
    using event = manual_reset_event<>;
    STATIC_REQUIRE(std::is_nothrow_constructible_v<event>);
    STATIC_REQUIRE(std::is_nothrow_constructible_v<event, bool>);
    STATIC_REQUIRE(std::is_nothrow_destructible_v<event>);
    STATIC_REQUIRE(noexcept(std::declval<event&>().set()));
    STATIC_REQUIRE(noexcept(std::declval<event&>().reset()));
    STATIC_REQUIRE(noexcept(std::declval<const event&>().is_set()));
    STATIC_REQUIRE(noexcept(std::declval<event&>().operator co_await()));
    STATIC_REQUIRE(noexcept(std::declval<event::awaiter&>().await_ready()));
    STATIC_REQUIRE(noexcept(std::declval<event::awaiter&>().await_suspend(std::coroutine_handle<>())));
    STATIC_REQUIRE(noexcept(std::declval<event::awaiter&>().await_resume()));
}

TEST_CASE("no operation of awaitable_event throws, but its construction") {
    using event = awaitable_event<>;
    STATIC_REQUIRE_FALSE(std::is_nothrow_default_constructible_v<event>);
    STATIC_REQUIRE(noexcept(std::declval<const event&>().set()));
    STATIC_REQUIRE(noexcept(std::declval<const event&>().reset()));
    STATIC_REQUIRE(noexcept(std::declval<const event&>().is_set()));
    STATIC_REQUIRE(noexcept(std::declval<const event&>().operator co_await()));
    STATIC_REQUIRE(noexcept(std::declval<event::awaiter&>().await_ready()));
    STATIC_REQUIRE(noexcept(std::declval<event::awaiter&>().await_suspend(std::coroutine_handle<>())));
    STATIC_REQUIRE(noexcept(std::declval<event::awaiter&>().await_resume()));
}

TEST_CASE("no operation of task throws, but taking the result") {
    using subject = task<int>;
    STATIC_REQUIRE(noexcept(std::declval<const subject&>().is_ready()));
    STATIC_REQUIRE(noexcept(std::declval<subject>().operator co_await()));
    STATIC_REQUIRE(noexcept(std::declval<subject::awaiter&>().await_ready()));
    STATIC_REQUIRE(noexcept(std::declval<subject::awaiter&>().await_suspend(std::coroutine_handle<>())));
    STATIC_REQUIRE_FALSE(noexcept(std::declval<subject::awaiter&>().await_resume()));
}
