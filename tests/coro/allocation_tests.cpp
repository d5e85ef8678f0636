// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#ifndef ORDEAL_TEST_TSAN  // its runtime defines the global operators itself

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>

namespace {

using ordeal::coro::awaitable_event;
using ordeal::coro::detached;
using ordeal::coro::manual_reset_event;
using ordeal::coro::task;
using ordeal::test::allocations;
using ordeal::test::counted;
using ordeal::test::failing_allocation;
using ordeal::test::live_blocks;

// Not inlined, so that the compiler cannot leave the frame's allocation out.
template <class Event>
[[gnu::noinline]] detached wait_twice(Event& event, int& passed, std::size_t& at_start) {
    at_start = allocations();  // the frame exists
    co_await event;
    ++passed;
    co_await event;
    ++passed;
}

[[gnu::noinline]] task<int> value_task(int value) { co_return value; }
[[gnu::noinline]] task<int> failing_task(counted) { co_return 1; }
[[gnu::noinline]] task<void> waiting_task(manual_reset_event<>& event) { co_await event; }
[[gnu::noinline]] detached take(task<int> from, int& result, std::size_t& at_start) {
    at_start = allocations();
    result = co_await std::move(from);
}

}  // namespace

TEST_CASE("positive control: the counter sees an allocation and its release") {
    const std::size_t before = allocations();
    const std::size_t blocks = live_blocks();
    auto* const volatile block = new int(1);
    CHECK(allocations() == before + 1);
    CHECK(live_blocks() == blocks + 1);
    delete block;
    CHECK(live_blocks() == blocks);
}

TEST_CASE("manual_reset_event allocates nothing: built, awaited, set, reset and destroyed") {
    const std::size_t blocks = live_blocks();
    std::size_t first = 0;
    std::size_t second = 0;
    int passed = 0;
    std::size_t after_building = 0;
    const std::size_t before = allocations();
    {
        manual_reset_event<> event;
        after_building = allocations();
        wait_twice(event, passed, first);
        wait_twice(event, passed, second);
        event.set();
        event.reset();
    }
    const std::size_t after = allocations();
    CHECK(after_building == before);
    CHECK(passed == 4);
    CHECK(second == first + 1);  // the second coroutine's frame, not the first one's awaiting
    CHECK(after == second);
    CHECK(live_blocks() == blocks);
}

TEST_CASE("awaitable_event allocates once, when it is built, and never by copying, awaiting or setting") {
    const std::size_t blocks = live_blocks();
    std::size_t first = 0;
    std::size_t second = 0;
    int passed = 0;
    std::size_t after_building = 0;
    const std::size_t before = allocations();
    {
        awaitable_event<> event;
        after_building = allocations();
        awaitable_event<> copy = event;
        wait_twice(event, passed, first);
        wait_twice(copy, passed, second);
        copy.set();
        event.reset();
    }
    const std::size_t after = allocations();
    CHECK(after_building == before + 1);
    CHECK(passed == 4);
    CHECK(first == after_building + 1);
    CHECK(second == first + 1);
    CHECK(after == second);
    CHECK(live_blocks() == blocks);
}

TEST_CASE("a task allocates once, its frame, and awaiting it allocates nothing") {
    const std::size_t blocks = live_blocks();
    int result = 0;
    std::size_t awaiting = 0;
    const std::size_t before = allocations();
    auto subject = value_task(7);
    const std::size_t created = allocations();
    take(std::move(subject), result, awaiting);
    const std::size_t after = allocations();
    CHECK(created == before + 1);
    CHECK(awaiting == created + 1);  // the frame of take()
    CHECK(after == awaiting);
    CHECK(result == 7);
    CHECK(live_blocks() == blocks);
}

TEST_CASE("sync_wait allocates the frame of its waiting coroutine and nothing else") {
    const std::size_t blocks = live_blocks();
    auto subject = value_task(5);
    const std::size_t before = allocations();
    const int result = ordeal::coro::sync_wait(std::move(subject));
    CHECK(allocations() - before <= 1);  // a compiler may place this frame on the stack
    CHECK(result == 5);
    {
        const auto gone = std::move(subject);  // NOLINT(bugprone-use-after-move): whatever is left of it
    }
    CHECK(live_blocks() == blocks);
}

TEST_CASE("a task whose frame cannot be allocated throws bad_alloc and leaks nothing") {
    const std::size_t blocks = live_blocks();
    std::atomic<int> live{0};
    bool thrown = false;
    {
        const failing_allocation failure;
        try {
            const auto never = failing_task(counted(live));
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
    }
    CHECK(thrown);
    CHECK(live.load() == 0);
    CHECK(live_blocks() == blocks);
}

TEST_CASE("a failed allocation inside a coroutine leaves the awaited task whole") {
    const std::size_t blocks = live_blocks();
    {
        manual_reset_event<> event;
        std::optional<task<void>> kept(waiting_task(event));
        bool thrown = false;
        {
            const failing_allocation failure;
            try {
                const auto never = value_task(1);
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
        }
        CHECK(thrown);
        CHECK_FALSE(kept->is_ready());
        event.set();
        CHECK(kept->is_ready());
    }
    CHECK(live_blocks() == blocks);
}

TEST_CASE("awaitable_event whose block cannot be allocated throws bad_alloc and leaks nothing") {
    const std::size_t blocks = live_blocks();
    bool thrown = false;
    {
        const failing_allocation failure;
        try {
            const awaitable_event<> never;
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
    }
    CHECK(thrown);
    CHECK(live_blocks() == blocks);
}

TEST_CASE("sync_wait whose frame cannot be allocated throws bad_alloc and leaves the task awaitable") {
    const std::size_t blocks = live_blocks();
    {
        auto subject = value_task(3);
        bool thrown = false;
        int result = 0;
        {
            const failing_allocation failure;
            try {
                result = ordeal::coro::sync_wait(std::move(subject));
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
        }
        // NOLINTNEXTLINE(bugprone-use-after-move): what threw did not take it
        if (thrown) result = ordeal::coro::sync_wait(std::move(subject));
        CHECK(result == 3);
    }
    CHECK(live_blocks() == blocks);
}

#endif
