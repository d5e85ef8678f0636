// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every allocation in turn fails under the production primitives: std::bad_alloc or success, and nothing leaks, nobody
// is lost.
#include "stress/faults.hpp"

#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

using namespace ordeal;
using namespace ordeal::detail;
using namespace ordeal::stress_tests;

namespace {

template <class Event>
coro::detached count_in(Event& event, int& passed) {
    co_await event;
    ++passed;
}

// Two waiters; whichever got a frame must go on when the event is set.
template <class Event>
void two_waiters(Event& event, int& lost) {
    int queued = 0;
    int passed = 0;
    const auto settle = [&] {
        event.set();
        lost += queued - passed;
    };
    try {
        for (; queued < 2; ++queued) count_in(event, passed);
    } catch (const std::bad_alloc&) {
        settle();
        throw;
    }
    settle();
}

coro::task<std::unique_ptr<int>> number(gate& begin) {
    co_await begin;
    co_return std::make_unique<int>(42);
}

coro::task<int> number_of_the_other(gate& begin) { co_return *co_await number(begin); }

coro::detached take(coro::task<int> work, int& ended) {
    try {
        if (co_await std::move(work) == 42) ++ended;
    } catch (const std::bad_alloc&) {
        ++ended;
    }
}

// Opens a gate on a thread of its own when it is told to.
class opener {
public:
    opener() : thread_([this] { work(); }) {}
    ~opener() {
        if (!told_) command_.store(leave, std::memory_order_release);
        command_.notify_one();
        thread_.join();
    }
    opener(const opener&) = delete;
    opener& operator=(const opener&) = delete;

    void open_soon(gate& begin) {
        gate_ = &begin;
        told_ = true;
        command_.store(open, std::memory_order_release);
        command_.notify_one();
    }

private:
    static constexpr int wait = 0;
    static constexpr int open = 1;
    static constexpr int leave = 2;

    void work() {
        count_allocations_of_this_thread();
        command_.wait(wait, std::memory_order_acquire);
        if (command_.load(std::memory_order_acquire) == open) gate_->open();
    }

    std::atomic<int> command_{wait};
    gate* gate_ = nullptr;
    bool told_ = false;
    std::thread thread_;
};

}  // namespace

TEST_CASE("an event allocates nothing, only its waiters' frames can fail, and the others still go on") {
    const unsigned allocations = fail_each_allocation(
        [](auto arm, int& lost) {
            arm();
            coro::manual_reset_event<> event;
            two_waiters(event, lost);
        },
        true);
    CHECK(allocations == 2);
}

TEST_CASE("a shared event allocates its block, and when a waiter gets no frame the others still go on") {
    const unsigned allocations = fail_each_allocation(
        [](auto arm, int& lost) {
            arm();
            coro::awaitable_event<> event;
            const coro::awaitable_event<> copy = event;  // NOLINT(performance-unnecessary-copy-initialization): counted
            two_waiters(copy, lost);
        },
        true);
    CHECK(allocations == 3);
}

TEST_CASE("a task that gets no memory throws where it is called, or in its body and then out of the co_await") {
    // The frames of the outer task and of the awaiting coroutine fail in the call; what fails in the body of a task
    // reaches the awaiting coroutine.
    const auto program = [](auto arm, int& lost) {
        gate begin;
        int ended = 0;
        arm();
        bool called = false;
        try {
            take(number_of_the_other(begin), ended);
            called = true;
        } catch (const std::bad_alloc&) {
            lost += ended;
        }
        begin.open();  // an abandoned task goes on, and frees itself
        if (called) lost += 1 - ended;
    };
    CHECK(fail_each_allocation(program, false) == 4);  // three frames and the number
}

TEST_CASE("sync_wait of a task that has ended throws what failed, its own frame included") {
    const unsigned allocations = fail_each_allocation(
        [](auto arm, int& lost) {
            gate begin;
            auto work = number(begin);
            begin.open();
            arm();
            const std::unique_ptr<int> result = coro::sync_wait(std::move(work));
            lost += *result == 42 ? 0 : 1;
        },
        true);
    CHECK(allocations == 1);
}

TEST_CASE("sync_wait of a task that another thread completes ends in a value or std::bad_alloc") {
    const unsigned allocations = fail_each_allocation(
        [](auto arm, int& lost) {
            gate begin;
            opener other;
            arm();
            auto work = number_of_the_other(begin);
            if (!work.is_ready()) other.open_soon(begin);
            lost += coro::sync_wait(std::move(work)) == 42 ? 0 : 1;
        },
        true);
    CHECK(allocations == 3);  // the frames of two tasks and of sync_wait; the number is the other thread's
}
