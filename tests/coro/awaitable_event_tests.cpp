// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"

#include "ordeal/coro/detached.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using ordeal::coro::detached;
using ordeal::test::block_count;
using event_type = ordeal::coro::awaitable_event<>;

detached record(const event_type& event, std::vector<int>& order, int name) {
    co_await event;
    order.push_back(name);
}

detached record_twice(const event_type& event, std::vector<int>& order, int name) {
    co_await event;
    order.push_back(name);
    event.reset();
    co_await event;
    order.push_back(name + 100);
}

detached destroy_when_resumed(std::unique_ptr<event_type>& event, std::vector<int>& order, int name) {
    co_await *event;
    event.reset();
    order.push_back(name);
}

// A coroutine that its owner can destroy while it is suspended.
struct owned {
    struct promise_type {
        owned get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
};

owned wait_owned(const event_type& event, bool& resumed) {
    co_await event;
    resumed = true;
}

}  // namespace

TEST_CASE("an awaitable_event starts not set, and set and reset change it for every copy") {
    const event_type event;
    const event_type copy = event;  // NOLINT(performance-unnecessary-copy-initialization): that is the test
    CHECK_FALSE(copy.is_set());
    event.set();
    CHECK(copy.is_set());
    copy.reset();
    CHECK_FALSE(event.is_set());
}

TEST_CASE("two awaitable_events built apart are two events") {
    const event_type one;
    const event_type other;
    one.set();
    CHECK(one.is_set());
    CHECK_FALSE(other.is_set());
}

TEST_CASE("set() resumes the waiters of an awaitable_event oldest first, through whichever copy they awaited") {
    const event_type event;
    const event_type copy = event;  // NOLINT(performance-unnecessary-copy-initialization): that is the test
    std::vector<int> order;
    record(event, order, 1);
    record(copy, order, 2);
    record(event, order, 3);
    CHECK(order.empty());
    copy.set();
    CHECK(order == std::vector{1, 2, 3});
}

TEST_CASE("a coroutine that awaits an awaitable_event already set does not suspend") {
    const event_type event;
    event.set();
    std::vector<int> order;
    record(event, order, 1);
    CHECK(order == std::vector{1});
}

TEST_CASE("setting an awaitable_event twice resumes each waiter once") {
    const event_type event;
    std::vector<int> order;
    record(event, order, 1);
    event.set();
    event.set();
    CHECK(order == std::vector{1});
}

TEST_CASE("reset() leaves the waiters of an awaitable_event queued in their order") {
    const event_type event;
    std::vector<int> order;
    record(event, order, 1);
    event.reset();
    record(event, order, 2);
    event.set();
    CHECK(order == std::vector{1, 2});
}

TEST_CASE("a waiter that resets the awaitable_event and awaits again is queued for the next set()") {
    const event_type event;
    std::vector<int> order;
    record_twice(event, order, 1);
    record(event, order, 2);
    event.set();
    CHECK(order == std::vector{1, 2});
    event.set();
    CHECK(order == std::vector{1, 2, 101});
}

TEST_CASE("a suspended coroutine keeps the shared block alive when the last handle is gone") {
    const block_count blocks;
    bool resumed = false;
    std::optional<event_type> event(std::in_place);
    const owned waiting = wait_owned(*event, resumed);
    CHECK(blocks.grown_by(2));  // the shared block and the frame
    event.reset();
    CHECK(blocks.grown_by(2));
    waiting.handle.destroy();
    CHECK(blocks.unchanged());
    CHECK_FALSE(resumed);
}

TEST_CASE("the last handle of an awaitable_event frees the shared block") {
    const block_count blocks;
    {
        std::optional<event_type> event(std::in_place);
        const event_type copy = *event;
        event.reset();
        CHECK(blocks.grown_by(1));
        copy.set();
    }
    CHECK(blocks.unchanged());
}

TEST_CASE("a resumed waiter may destroy the last handle, and the waiters after it are still resumed") {
    const block_count blocks;
    {
        auto event = std::make_unique<event_type>();
        std::vector<int> order;
        order.reserve(3);
        destroy_when_resumed(event, order, 1);
        record(*event, order, 2);
        record(*event, order, 3);
        event->set();
        CHECK(event == nullptr);
        CHECK(order == std::vector{1, 2, 3});
    }
    CHECK(blocks.unchanged());
}

TEST_CASE("copying, moving, assigning and self-assigning an awaitable_event keeps the count of handles right") {
    const block_count blocks;
    {
        event_type event;
        event_type other;
        other.set();
        event_type moved = std::move(event);
        CHECK_FALSE(moved.is_set());
        event = other;
        CHECK(event.is_set());
        const event_type& self = event;
        event = self;
        CHECK(event.is_set());
        other = std::move(moved);
        CHECK_FALSE(other.is_set());
        CHECK(blocks.grown_by(2));
    }
    CHECK(blocks.unchanged());
}
