// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <string>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct complete_against_await {
    static constexpr auto subject = "task";
    static constexpr auto about =
        "On every path through co_await, does the awaiting coroutine see the result, and go on with its own frame?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = paths;
    gate<P> begin;
    typename P::template cell<int> payload{0};
    coro::task<int, P> work = make();
    int seen = 0;
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
        payload.write() = 40;
        co_return 2;
    }
    detached await() {
        typename P::template cell<int> local{0};  // in the frame
        local.write() = 100;
        const int result = co_await observed(std::move(work), how);
        seen += result + payload.read() + local.read();
    }
    void finish() { require(seen == 142, "the awaiting coroutine goes on once, and sees everything"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/complete_against_await", complete_against_await);

template <atomic_policy P>
struct complete_against_registration {
    static constexpr auto subject = "task";
    static constexpr auto about =
        "When the coroutine completes after await_ready, does the awaiting coroutine, refused or resumed, see all?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = paths_without_a_look;
    gate<P> begin;
    coro::task<int, P> work = make();
    int seen = 0;
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
        co_return 42;
    }
    detached await() { seen += co_await observed(std::move(work), how, false); }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the result"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("task/complete_against_registration", complete_against_registration);

template <atomic_policy P>
struct poll_then_await {
    static constexpr auto subject = "task";
    static constexpr auto about = "When is_ready() returns true, is the result there without suspending?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"ready, then ready", grade::acceptable, "it had completed when the owner looked"},
        outcome_grade{"not ready, then ready", grade::acceptable, "it completed before the co_await"},
        outcome_grade{"not ready, then refused", grade::acceptable, "it completed before the awaiter was registered"},
        outcome_grade{"not ready, then resumed", grade::acceptable, "the awaiter was registered first"},
    };
    gate<P> begin;
    typename P::template cell<int> payload{0};
    coro::task<int, P> work = make();
    int seen = 0;
    path how = path::none;
    bool was_ready = false;

    void run(int thread) {
        if (thread == 1) {
            begin.open();
            return;
        }
        was_ready = work.is_ready();
        if (was_ready) require(payload.read() == 40, "what the coroutine wrote is visible");
        await();
    }
    coro::task<int, P> make() {
        co_await begin;
        payload.write() = 40;
        co_return 2;
    }
    detached await() {
        const int result = co_await observed(std::move(work), how);
        seen += result + payload.read();
    }
    void finish() {
        require(seen == 42, "the awaiting coroutine goes on once, and sees the result");
        require(!was_ready || how == path::ready, "a task that is ready stays ready");
    }
    [[nodiscard]] std::string outcome() const {
        return std::string(was_ready ? "ready" : "not ready") + ", then " + to_string(how);
    }
};
ORDEAL_SCENARIO("task/poll_then_await", poll_then_await);

template <atomic_policy P>
struct chain_of_two {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does a result cross two tasks that complete one after another on another thread?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"ready, then ready", grade::acceptable, "the inner task had completed when looked at"},
        outcome_grade{"refused, then ready", grade::acceptable, "the inner task completed after the look"},
        outcome_grade{"resumed, then ready", grade::acceptable, "both had completed when the outer was looked at"},
        outcome_grade{"resumed, then refused", grade::acceptable, "both completed after the look at the outer"},
        outcome_grade{"resumed, then resumed", grade::acceptable, "both awaiters were registered first"},
    };
    gate<P> begin;
    coro::task<int, P> inner = make_inner();
    int seen = 0;
    path how_inner = path::none;
    path how_outer = path::none;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make_inner() {
        co_await begin;
        co_return 40;
    }
    coro::task<int, P> make_outer() { co_return 2 + co_await observed(std::move(inner), how_inner); }
    detached await() { seen += co_await observed(make_outer(), how_outer); }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the result"); }
    [[nodiscard]] std::string outcome() const {
        return std::string(to_string(how_inner)) + ", then " + to_string(how_outer);
    }
};
ORDEAL_SCENARIO("task/chain_of_two", chain_of_two);

// Lets the task complete on this thread after it has registered its awaiter, before await_suspend returns.
template <atomic_policy P>
class completes_while_suspending {
public:
    completes_while_suspending(coro::task<int, P>&& work, gate<P>& begin)
        : begin_(&begin), inner_(std::move(work).operator co_await()) {}
    [[nodiscard]] bool await_ready() const noexcept { return inner_.await_ready(); }
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) {
        gate<P>* const begin = begin_;
        const bool suspends = inner_.await_suspend(awaiting);
        begin->open();  // *this is gone
        return suspends;
    }
    int await_resume() { return inner_.await_resume(); }

private:
    gate<P>* begin_;
    typename coro::task<int, P>::awaiter inner_;
};

template <atomic_policy P>
struct resumed_before_await_suspend_returns {
    static constexpr auto subject = "task";
    static constexpr auto about = "May a coroutine end, and its frame be freed, before its await_suspend has returned?";
    static constexpr auto threads = std::array{"awaiter"};
    gate<P> begin;
    coro::task<int, P> work = make();
    int seen = 0;

    void run(int /*thread*/) { await(); }
    coro::task<int, P> make() {
        co_await begin;
        co_return 42;
    }
    detached await() {
        const int result = co_await completes_while_suspending<P>(std::move(work), begin);
        seen += result;
    }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the result"); }
};
ORDEAL_SCENARIO("task/resumed_before_await_suspend_returns", resumed_before_await_suspend_returns);

}  // namespace
}  // namespace ordeal::production
