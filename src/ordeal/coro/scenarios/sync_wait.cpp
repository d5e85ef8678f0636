// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <new>
#include <utility>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct value_against_completion {
    static constexpr auto subject = "sync_wait";
    static constexpr auto about =
        "Does the blocked thread get the result, and free the frame only when nobody uses it?";
    static constexpr auto threads = std::array{"blocked", "coroutine"};
    gate<P> begin;
    typename P::template cell<int> payload{0};
    coro::task<int, P> work = make();

    void run(int thread) {
        if (thread == 0) {
            const int result = coro::sync_wait<P>(std::move(work));
            require(result + payload.read() == 42, "the blocked thread sees the result and what came before it");
        } else {
            begin.open();
        }
    }
    coro::task<int, P> make() {
        co_await begin;
        payload.write() = 40;
        co_return 2;
    }
};
ORDEAL_SCENARIO("sync_wait/value_against_completion", value_against_completion);

template <atomic_policy P>
struct void_against_completion {
    static constexpr auto subject = "sync_wait";
    static constexpr auto about = "Does waiting for a task without a value publish what its coroutine wrote?";
    static constexpr auto threads = std::array{"blocked", "coroutine"};
    gate<P> begin;
    typename P::template cell<int> payload{0};
    coro::task<void, P> work = make();

    void run(int thread) {
        if (thread == 0) {
            coro::sync_wait<P>(std::move(work));
            require(payload.read() == 42, "the blocked thread sees what the coroutine wrote");
        } else {
            begin.open();
        }
    }
    coro::task<void, P> make() {
        co_await begin;
        payload.write() = 42;
    }
};
ORDEAL_SCENARIO("sync_wait/void_against_completion", void_against_completion);

template <atomic_policy P>
struct exception_against_completion {
    static constexpr auto subject = "sync_wait";
    static constexpr auto about = "Does an exception that leaves the awaited coroutine leave sync_wait?";
    static constexpr auto threads = std::array{"blocked", "coroutine"};
    gate<P> begin;
    coro::task<int, P> work = make();
    int caught = 0;

    void run(int thread) {
        if (thread == 1) {
            begin.open();
            return;
        }
        try {
            (void)coro::sync_wait<P>(std::move(work));
        } catch (int value) {
            caught += value;
        }
    }
    coro::task<int, P> make() {
        co_await begin;
        throw 42;
        co_return 0;
    }
    void finish() { require(caught == 42, "the exception arrives once"); }
};
ORDEAL_SCENARIO("sync_wait/exception_against_completion", exception_against_completion);

template <atomic_policy P>
struct already_complete {
    static constexpr auto subject = "sync_wait";
    static constexpr auto about = "Does waiting for what is complete return without another thread?";
    static constexpr auto threads = std::array{"blocked"};

    void run(int /*thread*/) { require(coro::sync_wait<P>(make()) == 42, "the result is there"); }
    static coro::task<int, P> make() { co_return 42; }
};
ORDEAL_SCENARIO("sync_wait/already_complete", already_complete);

template <atomic_policy P>
struct event_destroyed_afterwards {
    static constexpr auto subject = "sync_wait";
    static constexpr auto about =
        "May the blocked thread destroy the event it waited for, while set() is still running?";
    static constexpr auto threads = std::array{"blocked", "setter"};
    coro::manual_reset_event<P>* const event = new coro::manual_reset_event<P>;
    typename P::template cell<int> payload{0};

    void run(int thread) {
        if (thread == 0) {
            coro::sync_wait<P>(*event);
            delete event;
            require(payload.read() == 42, "the blocked thread sees what was written before set()");
        } else {
            payload.write() = 42;
            event->set();
        }
    }
};
ORDEAL_SCENARIO("sync_wait/event_destroyed_afterwards", event_destroyed_afterwards);

template <atomic_policy P>
struct allocation_failure {
    static constexpr auto subject = "sync_wait";
    static constexpr auto about = "Does a call that gets no memory throw before it takes the task over?";
    static constexpr auto threads = std::array{"blocked"};
    coro::task<int, P> work = make();
    bool thrown = false;

    void run(int /*thread*/) {
        fail_allocation(1);
        try {
            (void)coro::sync_wait<P>(std::move(work));
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        fail_allocation(0);
        require(thrown, "the call throws std::bad_alloc");
        require(coro::sync_wait<P>(std::move(work)) == 42, "the task can still be awaited");
    }
    static coro::task<int, P> make() { co_return 42; }
};
ORDEAL_SCENARIO("sync_wait/allocation_failure", allocation_failure);

}  // namespace
}  // namespace ordeal::production
