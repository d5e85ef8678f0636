// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable.hpp"

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"

#include <catch2/catch.hpp>

#include <coroutine>
#include <memory>
#include <string>
#include <type_traits>

namespace subjects {

struct plain_awaiter {
    int value = 0;
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    int await_resume() const noexcept { return value; }
};

struct with_member {
    plain_awaiter operator co_await() const noexcept { return {1}; }
};

struct with_rvalue_member {
    plain_awaiter operator co_await() && noexcept { return {2}; }
};

struct with_free {};
plain_awaiter operator co_await(const with_free&) noexcept { return {3}; }

struct wrong_ready {
    void await_ready() const noexcept {}
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};
struct wrong_suspend {
    bool await_ready() const noexcept { return true; }
    int await_suspend(std::coroutine_handle<>) const noexcept { return 0; }
    void await_resume() const noexcept {}
};
struct no_resume {
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
};
struct member_that_gives_no_awaiter {
    int operator co_await() const noexcept { return 0; }
};

struct bool_suspend : plain_awaiter {
    bool await_suspend(std::coroutine_handle<>) const noexcept { return false; }
};
struct transferring_suspend : plain_awaiter {
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> handle) const noexcept { return handle; }
};

struct plain_promise {};
struct transforming_promise {
    with_member await_transform(const std::string&) const { return {}; }
};

}  // namespace subjects

namespace {

using namespace subjects;
using ordeal::coro::await_result_t;
using ordeal::coro::awaitable;
using ordeal::coro::awaitable_in;
using ordeal::coro::awaiter;
using ordeal::coro::get_awaitable;
using ordeal::coro::get_awaiter;
using ordeal::coro::task;

}  // namespace

TEST_CASE("an awaiter has the three await functions with the types the language asks for") {
    STATIC_REQUIRE(awaiter<plain_awaiter>);
    STATIC_REQUIRE(awaiter<plain_awaiter&>);
    STATIC_REQUIRE(awaiter<std::suspend_always>);
    STATIC_REQUIRE(awaiter<bool_suspend>);
    STATIC_REQUIRE(awaiter<transferring_suspend>);
    STATIC_REQUIRE_FALSE(awaiter<wrong_ready>);
    STATIC_REQUIRE_FALSE(awaiter<wrong_suspend>);
    STATIC_REQUIRE_FALSE(awaiter<no_resume>);
    STATIC_REQUIRE_FALSE(awaiter<with_member>);
    STATIC_REQUIRE_FALSE(awaiter<int>);
}

TEST_CASE("awaitable types are awaiters and those with a member or a free operator co_await") {
    STATIC_REQUIRE(awaitable<plain_awaiter>);
    STATIC_REQUIRE(awaitable<with_member>);
    STATIC_REQUIRE(awaitable<with_member&>);
    STATIC_REQUIRE(awaitable<with_free>);
    STATIC_REQUIRE(awaitable<with_free&>);
    STATIC_REQUIRE_FALSE(awaitable<int>);
    STATIC_REQUIRE_FALSE(awaitable<std::string>);
    STATIC_REQUIRE_FALSE(awaitable<member_that_gives_no_awaiter>);
}

TEST_CASE("an operator co_await for rvalues makes only rvalues awaitable") {
    STATIC_REQUIRE(awaitable<with_rvalue_member>);
    STATIC_REQUIRE_FALSE(awaitable<with_rvalue_member&>);
    STATIC_REQUIRE(awaitable<task<int>>);
    STATIC_REQUIRE_FALSE(awaitable<task<int>&>);
}

TEST_CASE("get_awaiter finds the member, the free operator, or the object itself") {
    CHECK(get_awaiter(with_member{}).await_resume() == 1);
    CHECK(get_awaiter(with_rvalue_member{}).await_resume() == 2);
    CHECK(get_awaiter(with_free{}).await_resume() == 3);
    plain_awaiter itself{4};
    CHECK(&get_awaiter(itself) == &itself);
    STATIC_REQUIRE(std::is_same_v<decltype(get_awaiter(itself)), plain_awaiter&>);
}

TEST_CASE("a promise's await_transform decides what its coroutine can await") {
    STATIC_REQUIRE(awaitable_in<with_member, plain_promise>);
    STATIC_REQUIRE_FALSE(awaitable_in<std::string, plain_promise>);
    STATIC_REQUIRE(awaitable_in<std::string, transforming_promise>);
    transforming_promise promise;
    CHECK(get_awaiter(get_awaitable(promise, std::string("text"))).await_resume() == 1);
    plain_promise silent;
    with_free untouched;
    CHECK(&get_awaitable(silent, untouched) == &untouched);
}

TEST_CASE("await_result_t is the type of the co_await expression") {
    STATIC_REQUIRE(std::is_same_v<await_result_t<with_free>, int>);
    STATIC_REQUIRE(std::is_same_v<await_result_t<task<std::unique_ptr<int>>>, std::unique_ptr<int>>);
    STATIC_REQUIRE(std::is_same_v<await_result_t<task<int&>>, int&>);
    STATIC_REQUIRE(std::is_same_v<await_result_t<task<void>>, void>);
    STATIC_REQUIRE(std::is_same_v<await_result_t<ordeal::coro::manual_reset_event<>&>, void>);
    STATIC_REQUIRE(std::is_same_v<await_result_t<const ordeal::coro::awaitable_event<>&>, void>);
}
