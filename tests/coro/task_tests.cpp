// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/task.hpp"

#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using ordeal::coro::detached;
using ordeal::coro::task;
using ordeal::test::block_count;
using ordeal::test::counted;
using event_type = ordeal::coro::manual_reset_event<>;

// An object whose move constructor throws at the k-th move.
struct throws_on_move {
    explicit throws_on_move(int moves) : moves_left(moves) {}
    // NOLINTNEXTLINE(performance-noexcept-move-constructor): it throws
    throws_on_move(throws_on_move&& other) : moves_left(other.moves_left - 1) {
        if (moves_left < 0) throw std::runtime_error("move");
    }
    int moves_left;
};

task<int> value_after(event_type& event, int value) {
    co_await event;
    co_return value;
}
task<std::unique_ptr<int>> pointer_after(event_type& event) {
    co_await event;
    co_return std::make_unique<int>(9);
}
task<int&> reference_after(event_type& event, int& object) {
    co_await event;
    co_return object;
}
task<void> mark_after(event_type& event, bool& done) {
    co_await event;
    done = true;
}
task<int> fail_after(event_type& event) {
    co_await event;
    throw std::runtime_error("failed");
}
task<void> fail_void_after(event_type& event) {
    co_await event;
    throw std::runtime_error("failed");
}
task<throws_on_move> moves_after(event_type& event, int moves) {
    co_await event;
    co_return throws_on_move(moves);
}
task<int> value_with_frame(event_type& event, counted) {
    co_await event;
    co_return 1;
}
task<const std::string&> text(const std::string& value) { co_return value; }
task<int> add_one(task<int> inner) { co_return 1 + co_await std::move(inner); }

// What a co_await ended with.
template <class T>
struct outcome {
    std::optional<T> value;
    std::string error;
    bool done = false;
};

template <class T, class Stored>
detached take(task<T> from, outcome<Stored>& into) {
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(from);
            into.value.emplace();
        } else if constexpr (std::is_reference_v<T>) {
            T reference = co_await std::move(from);
            into.value.emplace(&reference);
        } else {
            into.value.emplace(co_await std::move(from));
        }
    } catch (const std::exception& error) {
        into.error = error.what();
    }
    into.done = true;
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

// Runs `body` with an event that completes the task later, and with one that lets it complete at once; neither leaks.
template <class Body>
void for_each_timing(Body body) {
    for (const bool initially_set : {false, true}) {
        const block_count blocks;
        {
            event_type event(initially_set);
            body(event, initially_set);
        }
        CHECK(blocks.unchanged());
    }
}

owned await_owned(task<int> inner, bool& resumed) {
    (void)co_await std::move(inner);
    resumed = true;
}

}  // namespace

TEST_CASE("a task starts at once and is ready when its coroutine has ended") {
    event_type event;
    bool done = false;
    const auto subject = mark_after(event, done);
    CHECK_FALSE(subject.is_ready());
    event.set();
    CHECK(done);
    CHECK(subject.is_ready());
}

TEST_CASE("a task's value reaches the awaiting coroutine, before and after completion") {
    for_each_timing([](event_type& event, bool initially_set) {
        outcome<int> seen;
        take(value_after(event, 42), seen);
        CHECK(seen.done == initially_set);
        event.set();
        CHECK(seen.value == 42);
    });
}

TEST_CASE("a task hands over a value that can only be moved") {
    for_each_timing([](event_type& event, bool) {
        outcome<std::unique_ptr<int>> seen;
        take(pointer_after(event), seen);
        event.set();
        REQUIRE(seen.value.has_value());
        CHECK(**seen.value == 9);
    });
}

TEST_CASE("a task of a reference hands over the object itself") {
    for_each_timing([](event_type& event, bool) {
        int object = 0;
        outcome<int*> seen;
        take(reference_after(event, object), seen);
        event.set();
        CHECK(seen.value == &object);
    });
}

TEST_CASE("a void task lets its awaiter go on when it has completed") {
    for_each_timing([](event_type& event, bool initially_set) {
        bool done = false;
        outcome<int> seen;
        take(mark_after(event, done), seen);
        CHECK(seen.done == initially_set);
        event.set();
        CHECK(done);
        CHECK(seen.done);
        CHECK(seen.error.empty());
    });
}

TEST_CASE("an exception that leaves a task leaves the co_await") {
    for_each_timing([](event_type& event, bool) {
        outcome<int> seen;
        take(fail_after(event), seen);
        outcome<int> seen_void;
        take(fail_void_after(event), seen_void);
        event.set();
        CHECK(seen.error == "failed");
        CHECK_FALSE(seen.value.has_value());
        CHECK(seen_void.error == "failed");
    });
}

TEST_CASE("an exception of T's move constructor leaves the co_await, thrown by co_return or by taking the value") {
    for_each_timing([](event_type& event, bool) {
        outcome<throws_on_move> at_return;
        outcome<throws_on_move> at_taking;
        outcome<throws_on_move> never;
        take(moves_after(event, 0), at_return);
        take(moves_after(event, 1), at_taking);
        take(moves_after(event, 3), never);  // the third move is into the outcome
        event.set();
        CHECK(at_return.error == "move");
        CHECK(at_taking.error == "move");
        CHECK(never.error.empty());
        CHECK(never.value.has_value());
    });
}

TEST_CASE("a task of a const reference hands out the object without a copy") {
    const std::string value = "text";
    outcome<const std::string*> seen;
    take(text(value), seen);
    CHECK(seen.value == &value);
}

TEST_CASE("a task may be polled and then awaited") {
    event_type event;
    auto subject = value_after(event, 3);
    CHECK_FALSE(subject.is_ready());
    event.set();
    CHECK(subject.is_ready());
    outcome<int> seen;
    take(std::move(subject), seen);
    CHECK(seen.value == 3);
}

TEST_CASE("a task destroyed before completion goes on, and frees its own frame when it ends") {
    const block_count blocks;
    event_type event;
    std::atomic<int> live{0};
    {
        const auto subject = value_with_frame(event, counted(live));
        CHECK(live.load() == 1);
    }
    CHECK(live.load() == 1);
    CHECK(blocks.grown_by(1));
    event.set();
    CHECK(live.load() == 0);
    CHECK(blocks.unchanged());
}

TEST_CASE("an abandoned task drops its exception") {
    const block_count blocks;
    event_type event;
    {
        const auto subject = fail_after(event);
    }
    event.set();
    CHECK(blocks.unchanged());
}

TEST_CASE("a task destroyed after completion frees the frame with it") {
    event_type event(true);
    std::atomic<int> live{0};
    {
        const auto subject = value_with_frame(event, counted(live));
        CHECK(subject.is_ready());
        CHECK(live.load() == 1);
    }
    CHECK(live.load() == 0);
}

TEST_CASE("an awaiting coroutine destroyed while suspended abandons the task, which then resumes nobody") {
    const block_count blocks;
    event_type event;
    std::atomic<int> live{0};
    bool resumed = false;
    const owned awaiting = await_owned(value_with_frame(event, counted(live)), resumed);
    awaiting.handle.destroy();
    CHECK(live.load() == 1);
    CHECK(blocks.grown_by(1));
    event.set();
    CHECK_FALSE(resumed);
    CHECK(live.load() == 0);
    CHECK(blocks.unchanged());
}

TEST_CASE("the frame of an awaited task is freed at the end of the co_await expression") {
    event_type event(true);
    std::atomic<int> live{0};
    int inside = -1;
    [](event_type& set, std::atomic<int>& count, int& after) -> detached {
        auto subject = value_with_frame(set, counted(count));
        (void)co_await std::move(subject);
        after = count.load();
    }(event, live, inside);
    CHECK(inside == 0);
}

TEST_CASE("a moved task carries the coroutine along, and assigning over a task abandons what it had") {
    event_type event;
    std::atomic<int> live{0};
    auto first = value_with_frame(event, counted(live));
    auto second = std::move(first);
    CHECK_FALSE(second.is_ready());
    first = value_with_frame(event, counted(live));  // a moved-from task may be assigned to
    CHECK(live.load() == 2);
    second = std::move(first);  // first takes nothing back, second's coroutine is abandoned or completes
    event.set();
    CHECK(second.is_ready());
    CHECK(live.load() == 1);
}

TEST_CASE("tasks that await tasks complete from the inside out") {
    event_type event;
    outcome<int> seen;
    take(add_one(add_one(value_after(event, 40))), seen);
    CHECK_FALSE(seen.done);
    event.set();
    CHECK(seen.value == 42);
}

TEST_CASE("an exception crosses a chain of tasks") {
    event_type event;
    outcome<int> seen;
    take(add_one(add_one(fail_after(event))), seen);
    event.set();
    CHECK(seen.error == "failed");
}
