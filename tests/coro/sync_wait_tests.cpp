// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/sync_wait.hpp"

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

namespace {

using ordeal::coro::sync_wait;
using ordeal::coro::task;
using ordeal::test::block_count;
using event_type = ordeal::coro::manual_reset_event<>;

task<int> value_after(event_type& event, int value) {
    co_await event;
    co_return value;
}
task<std::unique_ptr<int>> pointer() { co_return std::make_unique<int>(5); }
task<int&> reference(int& object) { co_return object; }
task<void> mark(bool& done) {
    done = true;
    co_return;
}
task<int> fail_after(event_type& event) {
    co_await event;
    throw std::runtime_error("failed");
}
task<void> fail_void() {
    throw std::runtime_error("failed");
    co_return;
}

}  // namespace

TEST_CASE("sync_wait returns a value, one that can only be moved too") {
    const block_count blocks;
    event_type set(true);
    CHECK(sync_wait(value_after(set, 42)) == 42);
    CHECK(*sync_wait(pointer()) == 5);
    CHECK(blocks.unchanged());
}

TEST_CASE("sync_wait returns a reference, which is the object itself") {
    int object = 0;
    STATIC_REQUIRE(std::is_same_v<decltype(sync_wait(reference(object))), int&>);
    CHECK(&sync_wait(reference(object)) == &object);
}

TEST_CASE("sync_wait of a void task returns when it has completed") {
    bool done = false;
    STATIC_REQUIRE(std::is_void_v<decltype(sync_wait(mark(done)))>);
    const block_count blocks;
    sync_wait(mark(done));
    CHECK(done);
    CHECK(blocks.unchanged());
}

TEST_CASE("sync_wait throws what the task threw") {
    event_type set(true);
    CHECK_THROWS_AS(sync_wait(fail_after(set)), std::runtime_error);
    CHECK_THROWS_AS(sync_wait(fail_void()), std::runtime_error);
    const block_count blocks;
    try {
        (void)sync_wait(fail_after(set));
    } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): what it leaves behind is the test
    }
    CHECK(blocks.unchanged());
}

TEST_CASE("sync_wait takes an awaitable that stays with the caller, such as an event") {
    event_type event(true);
    sync_wait(event);
    CHECK(event.is_set());
    const ordeal::coro::awaitable_event<> shared;
    shared.set();
    sync_wait(shared);
    CHECK(shared.is_set());
}

TEST_CASE("sync_wait accepts a task that has completed already") {
    event_type event;
    auto subject = value_after(event, 7);
    event.set();
    REQUIRE(subject.is_ready());
    const int value = sync_wait(std::move(subject));
    CHECK(value == 7);
}

TEST_CASE("sync_wait returns the value of a task that another thread completes, every time") {
    const block_count blocks;
    int right = 0;
    for (int round = 0; round < ordeal::test::rounds; ++round) {
        int result = -1;
        event_type event;
        auto subject = value_after(event, round);
        ordeal::test::run_together([&] { event.set(); }, [&] { result = sync_wait(std::move(subject)); });
        right += result == round ? 1 : 0;
    }
    CHECK(right == ordeal::test::rounds);
    CHECK(blocks.unchanged());
}

TEST_CASE("sync_wait throws what a task throws on another thread, every time") {
    int caught = 0;
    for (int round = 0; round < ordeal::test::rounds; ++round) {
        event_type event;
        auto subject = fail_after(event);
        ordeal::test::run_together([&] { event.set(); },
                                   [&] {
                                       try {
                                           (void)sync_wait(std::move(subject));
                                       } catch (const std::runtime_error&) {
                                           ++caught;
                                       }
                                   });
    }
    CHECK(caught == ordeal::test::rounds);
}

TEST_CASE("what was written before set() is visible after sync_wait on the event") {
    int right = 0;
    for (int round = 0; round < ordeal::test::rounds; ++round) {
        event_type event;
        int payload = -1;
        int seen = -1;
        ordeal::test::run_together(
            [&] {
                payload = round;
                event.set();
            },
            [&] {
                sync_wait(event);
                seen = payload;
            });
        right += seen == round ? 1 : 0;
    }
    CHECK(right == ordeal::test::rounds);
}
