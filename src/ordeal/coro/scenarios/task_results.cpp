// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct exception_crosses {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does an exception that leaves the coroutine leave the co_await, on every path?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = paths;
    gate<P> begin;
    coro::task<int, P> work = make();
    int caught = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make() {
        co_await begin;
        throw 42;
        co_return 0;
    }
    detached await() {
        try {
            (void)co_await observed(std::move(work), how);
        } catch (int value) {
            caught += value;
        }
    }
    void finish() { require(caught == 42, "the exception arrives once"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/exception_crosses", exception_crosses);

template <atomic_policy P>
struct exception_abandoned {
    static constexpr auto subject = "task";
    static constexpr auto about = "Is an exception that nobody awaits dropped with the frame, exactly once?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    gate<P> begin;
    coro::task<void, P> work = make();

    void run(int thread) {
        if (thread == 0) {
            const coro::task<void, P> dropped = std::move(work);
        } else {
            begin.open();
        }
    }
    coro::task<void, P> make() {
        co_await begin;
        throw 42;
    }
};
ORDEAL_SCENARIO("task/exception_abandoned", exception_abandoned);

template <atomic_policy P>
struct void_result {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does a task without a value publish what its coroutine wrote?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = paths;
    gate<P> begin;
    typename P::template cell<int> payload{0};
    coro::task<void, P> work = make();
    int seen = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            begin.open();
        }
    }
    coro::task<void, P> make() {
        co_await begin;
        payload.write() = 42;
    }
    detached await() {
        co_await observed(std::move(work), how);
        seen += payload.read();
    }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the payload"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/void_result", void_result);

template <atomic_policy P>
struct reference_result {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does a task with a reference give the object itself, with what was written to it?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = paths;
    using cell = typename P::template cell<int>;
    gate<P> begin;
    cell payload{0};
    coro::task<cell&, P> work = make();
    int seen = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            begin.open();
        }
    }
    coro::task<cell&, P> make() {
        co_await begin;
        payload.write() = 42;
        co_return payload;
    }
    detached await() {
        cell& result = co_await observed(std::move(work), how);
        require(&result == &payload, "the result is the object itself");
        seen += result.read();
    }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the payload"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/reference_result", reference_result);

template <atomic_policy P>
struct move_only_result {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does a result that can only be moved arrive, and is it freed exactly once?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = paths;
    using cell = typename P::template cell<int>;
    gate<P> begin;
    coro::task<std::unique_ptr<cell>, P> work = make();
    int seen = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            begin.open();
        }
    }
    coro::task<std::unique_ptr<cell>, P> make() {
        co_await begin;
        co_return std::make_unique<cell>(42);
    }
    detached await() {
        const std::unique_ptr<cell> result = co_await observed(std::move(work), how);
        seen += result->read();
    }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the result"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/move_only_result", move_only_result);

template <atomic_policy P>
struct move_only_result_abandoned {
    static constexpr auto subject = "task";
    static constexpr auto about = "Is a result that nobody takes freed with the frame, exactly once?";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    using cell = typename P::template cell<int>;
    gate<P> begin;
    coro::task<std::unique_ptr<cell>, P> work = make();

    void run(int thread) {
        if (thread == 0) {
            const auto dropped = std::move(work);
        } else {
            begin.open();
        }
    }
    coro::task<std::unique_ptr<cell>, P> make() {
        co_await begin;
        co_return std::make_unique<cell>(42);
    }
};
ORDEAL_SCENARIO("task/move_only_result_abandoned", move_only_result_abandoned);

}  // namespace
}  // namespace ordeal::production
