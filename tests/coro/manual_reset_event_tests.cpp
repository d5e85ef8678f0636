// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/manual_reset_event.hpp"

#include "ordeal/coro/detached.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <vector>

namespace {

using ordeal::coro::detached;
using event_type = ordeal::coro::manual_reset_event<>;

detached record(event_type& event, std::vector<int>& order, int name) {
    co_await event;
    order.push_back(name);
}

detached record_twice(event_type& event, std::vector<int>& order, int name) {
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

}  // namespace

TEST_CASE("a manual_reset_event is not set unless it was built so") {
    const event_type idle;
    const event_type set(true);
    CHECK_FALSE(idle.is_set());
    CHECK(set.is_set());
}

TEST_CASE("a coroutine that awaits an event already set does not suspend") {
    event_type event(true);
    std::vector<int> order;
    record(event, order, 1);
    CHECK(order == std::vector{1});
    CHECK(event.is_set());
}

TEST_CASE("a coroutine that awaits an event not set suspends until set()") {
    event_type event;
    std::vector<int> order;
    record(event, order, 1);
    CHECK(order.empty());
    CHECK_FALSE(event.is_set());
    event.set();
    CHECK(order == std::vector{1});
    CHECK(event.is_set());
}

TEST_CASE("set() resumes the waiters of a manual_reset_event newest first") {
    event_type event;
    std::vector<int> order;
    for (int name = 1; name <= 4; ++name) record(event, order, name);
    event.set();
    CHECK(order == std::vector{4, 3, 2, 1});
}

TEST_CASE("setting a manual_reset_event twice resumes each waiter once") {
    event_type event;
    std::vector<int> order;
    record(event, order, 1);
    event.set();
    event.set();
    CHECK(order == std::vector{1});
    CHECK(event.is_set());
}

TEST_CASE("an event that was reset makes the next coroutine suspend") {
    event_type event(true);
    event.reset();
    CHECK_FALSE(event.is_set());
    std::vector<int> order;
    record(event, order, 1);
    CHECK(order.empty());
    event.set();
    CHECK(order == std::vector{1});
}

TEST_CASE("reset() leaves the waiters of an event that is not set queued") {
    event_type event;
    std::vector<int> order;
    record(event, order, 1);
    record(event, order, 2);
    event.reset();
    CHECK_FALSE(event.is_set());
    record(event, order, 3);
    event.set();
    CHECK(order == std::vector{3, 2, 1});
}

TEST_CASE("a waiter that resets the event and awaits again is queued for the next set()") {
    event_type event;
    std::vector<int> order;
    record_twice(event, order, 1);
    record(event, order, 2);
    event.set();
    CHECK(order == std::vector{2, 1});
    CHECK_FALSE(event.is_set());
    event.set();
    CHECK(order == std::vector{2, 1, 101});
}

TEST_CASE("a resumed waiter may destroy the event, and the older waiters are still resumed") {
    auto event = std::make_unique<event_type>();
    std::vector<int> order;
    record(*event, order, 1);
    record(*event, order, 2);
    destroy_when_resumed(event, order, 3);
    event->set();
    CHECK(event == nullptr);
    CHECK(order == std::vector{3, 2, 1});
}
