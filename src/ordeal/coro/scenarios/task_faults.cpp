// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
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
struct allocation_failure {
    static constexpr auto subject = "task";
    static constexpr auto about = "Does calling a coroutine that gets no memory throw, and leave other tasks alone?";
    static constexpr auto threads = std::array{"caller", "coroutine"};
    gate<P> begin;
    coro::task<int, P> work = make();
    bool thrown = false;
    int seen = 0;

    void run(int thread) {
        if (thread == 1) {
            begin.open();
            return;
        }
        fail_allocation(1);
        try {
            work = make_ready();
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        fail_allocation(0);
        await();
    }
    coro::task<int, P> make() {
        co_await begin;
        co_return 42;
    }
    coro::task<int, P> make_ready() { co_return 1; }
    detached await() { seen += co_await std::move(work); }
    void finish() {
        require(thrown, "the call throws std::bad_alloc");
        require(seen == 42, "the task assigned to is still the one before");
    }
};
ORDEAL_SCENARIO("task/allocation_failure", allocation_failure);

template <atomic_policy P>
struct awaiting_allocates_nothing {
    static constexpr auto subject = "task";
    static constexpr auto about = "Do co_await and completion work when no memory is to be had?";
    static constexpr auto threads = std::array{"awaiter", "coroutine"};
    gate<P> begin;
    coro::task<int, P> work = make();
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            await();
        } else {
            fail_allocation(1);
            begin.open();
        }
        fail_allocation(0);
    }
    coro::task<int, P> make() {
        co_await begin;
        co_return 42;
    }
    detached await() {
        fail_allocation(1);  // the frame is there already
        seen += co_await std::move(work);
    }
    void finish() { require(seen == 42, "the awaiting coroutine goes on once, and sees the result"); }
};
ORDEAL_SCENARIO("task/awaiting_allocates_nothing", awaiting_allocates_nothing);

}  // namespace
}  // namespace ordeal::production
