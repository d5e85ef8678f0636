// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>

#include <limits.h>
#include <pthread.h>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using ordeal::coro::detached;
using ordeal::coro::task;
using ordeal::test::block_count;
using event_type = ordeal::coro::manual_reset_event<>;

// Symmetric transfer takes constant stack only where the compiler makes it a tail call. That needs optimisation, and
// g++ does it in no sanitized build; there a short chain checks the result alone.
#if defined(__OPTIMIZE__)
constexpr bool tail_calls = !ordeal::test::sanitized;
#else
constexpr bool tail_calls = false;
#endif
constexpr int chain_length = tail_calls ? 100'000 : 100;
constexpr std::size_t small_stack = std::size_t{256} * 1024;

// How far apart the stack is at the resumptions that it was told of.
struct stack_extent {
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;

    [[gnu::noinline]] void note() {
        const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        if (here < lowest) lowest = here;
        if (here > highest) highest = here;
    }
    [[nodiscard]] std::size_t bytes() const { return highest - lowest; }
};

task<int> first(event_type& event, stack_extent& extent) {
    co_await event;
    extent.note();
    co_return 0;
}

task<int> next(task<int> inner, stack_extent& extent) {
    const int value = co_await std::move(inner);
    extent.note();
    co_return value + 1;
}

task<int> ready(int value) { co_return value; }

task<int> failing(task<int> inner, stack_extent& extent) {
    try {
        co_return co_await std::move(inner);
    } catch (int value) {
        extent.note();
        throw value + 1;
    }
}

detached take(task<int> from, int& result) {
    try {
        result = co_await std::move(from);
    } catch (int value) {
        result = -value;
    }
}

detached sum_of_ready(int count, std::int64_t& sum, stack_extent& extent) {
    for (int i = 0; i < count; ++i) {
        sum += co_await ready(1);
        extent.note();
    }
}

// The same chain without symmetric transfer: each coroutine resumes the next from inside its own.
struct nested {
    struct promise_type {
        nested get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept {}
    };
};

nested resume_nested(event_type& before, event_type& after, stack_extent& extent) {
    co_await before;
    extent.note();
    after.set();
    extent.note();
}

void run_on_small_stack(void (*action)(void*), void* argument) {
    struct start {
        void (*action)(void*);
        void* argument;
    } what{action, argument};
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, small_stack) == 0);
    pthread_t thread;
    const int created = pthread_create(
        &thread, &attributes,
        [](void* given) -> void* {
            const auto& what_to_start = *static_cast<struct start*>(given);
            what_to_start.action(what_to_start.argument);
            return nullptr;
        },
        &what);
    pthread_attr_destroy(&attributes);
    REQUIRE(created == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
}

template <class Action>
void on_small_stack(Action action) {
    run_on_small_stack([](void* given) { (*static_cast<Action*>(given))(); }, &action);
}

void check_extent(const stack_extent& extent) {
    if (tail_calls) {
        CHECK(extent.bytes() < 4096);
    } else {
        WARN("stack growth not checked: no tail calls in an unoptimised or sanitized build");
    }
}

}  // namespace

TEST_CASE("positive control: a chain that resumes by nested calls grows the stack") {
    constexpr std::size_t length = 100;
    std::vector<event_type> events(length + 1);
    stack_extent extent;
    for (std::size_t i = 0; i < length; ++i) resume_nested(events[i], events[i + 1], extent);
    events[0].set();
    CHECK(extent.bytes() > length * 16);
}

TEST_CASE("a chain of 100,000 tasks completes without growing the stack") {
    int result = -1;
    stack_extent extent;
    on_small_stack([&] {
        event_type event;
        auto chain = first(event, extent);
        for (int i = 0; i < chain_length; ++i) chain = next(std::move(chain), extent);
        take(std::move(chain), result);
        event.set();
    });
    CHECK(result == chain_length);
    check_extent(extent);
}

TEST_CASE("an exception crosses a chain of tasks without growing the stack") {
    constexpr int length = tail_calls ? 10'000 : 100;  // a throw takes microseconds
    int result = 0;
    stack_extent extent;
    on_small_stack([&] {
        event_type event;
        auto chain = [](event_type& start) -> task<int> {
            co_await start;
            throw 0;
        }(event);
        for (int i = 0; i < length; ++i) chain = failing(std::move(chain), extent);
        take(std::move(chain), result);
        event.set();
    });
    CHECK(result == -length);
    check_extent(extent);
}

TEST_CASE("a chain whose outermost task is abandoned frees every frame as it completes") {
    const block_count blocks;
    stack_extent extent;
    on_small_stack([&] {
        event_type event;
        {
            auto chain = first(event, extent);
            for (int i = 0; i < chain_length; ++i) chain = next(std::move(chain), extent);
        }
        event.set();
    });
    CHECK(blocks.unchanged());
    check_extent(extent);
}

TEST_CASE("a coroutine that awaits 100,000 completed tasks in a row does not grow the stack") {
    std::int64_t sum = 0;
    stack_extent extent;
    on_small_stack([&] { sum_of_ready(chain_length, sum, extent); });
    CHECK(sum == chain_length);
    check_extent(extent);
}
