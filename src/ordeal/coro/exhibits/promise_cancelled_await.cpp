// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promise as published, and the one use of it that no memory order can make right: the awaiting coroutine is
// destroyed while it is suspended. It has a subject of its own, so that the audit of the other uses can find a repair.
#include "ordeal/coro/exhibits/printed_task.hpp"
#include "ordeal/coro/exhibits/task_scenarios.hpp"

namespace ordeal::exhibits {

namespace {

// Destroying the awaiter abandons the task, which destroys the coroutine although it has not ended. Here that coroutine
// is suspended at the time, and whoever has its continuation resumes it later.
template <atomic_policy P>
struct cancelled_await_then_resumed : task_scenario<P, printed_task<P>> {
    static constexpr auto subject = "promise_cancelled_await";
    static constexpr auto about =
        "An awaiting coroutine is destroyed while suspended; the awaited one is resumed later.";
    static constexpr auto threads = std::array{"owner"};
    static constexpr auto expected = violated(violation_kind::use_after_free);

    void run(int) {
        owned<P> waiting = await_forever();
        waiting.destroy();
        this->start.resume();
    }
    owned<P> await_forever() { this->seen = co_await std::move(this->task); }
};

ORDEAL_SCENARIO("exhibit/promise_cancelled_await/then_resumed", cancelled_await_then_resumed);

// The same while the awaited coroutine runs on another thread. It ends after the owner is done, so that the destruction
// is not concurrent with its completion.
template <atomic_policy P>
struct cancelled_await_while_running {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "promise_cancelled_await";
    static constexpr auto about = "An awaiting coroutine is destroyed while the awaited one runs on another thread.";
    static constexpr auto threads = std::array{"owner", "coroutine"};
    static constexpr auto expected = violated(violation_kind::frame_misuse);

    transition_log log;
    parked<P> start;
    typename P::template atomic<bool> entered{false};
    typename P::template atomic<bool> given_up{false};
    printed_task<P> task = produce();
    int seen = 0;

    printed_task<P> produce() {
        co_await start;
        // order: release -> run: the coroutine runs.
        entered.store(true, std::memory_order_release);
        entered.notify_one();
        // order: acquire <- run: the owner is done with the task.
        given_up.wait(false, std::memory_order_acquire);
        co_return 42;
    }
    owned<P> await_forever() { seen = co_await std::move(task); }

    void run(int thread) {
        if (thread == 1) {
            start.resume();
            return;
        }
        owned<P> waiting = await_forever();
        // order: acquire <- produce: the coroutine runs.
        entered.wait(false, std::memory_order_acquire);
        waiting.destroy();
        // order: release -> produce: the owner is done with the task.
        given_up.store(true, std::memory_order_release);
        given_up.notify_one();
    }
};

ORDEAL_SCENARIO("exhibit/promise_cancelled_await/while_running", cancelled_await_while_running);

}  // namespace

}  // namespace ordeal::exhibits
