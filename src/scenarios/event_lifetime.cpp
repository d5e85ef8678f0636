// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "scenarios/support.hpp"

#include <array>
#include <coroutine>
#include <string>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct destroyed_by_its_waiter {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about =
        "May the waiter destroy the event as soon as it goes on, while set() is still running?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths;
    coro::manual_reset_event<P>* const event = new coro::manual_reset_event<P>;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            event->set();
        } else {
            wait();
        }
    }
    detached wait() {
        co_await observed(*event, how);
        delete event;
    }
    void finish() { require(how != path::none, "the waiter goes on"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("event/destroyed_by_its_waiter", destroyed_by_its_waiter);

template <atomic_policy P>
struct destroyed_by_the_first_resumed {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about = "Are the other waiters resumed when the first one resumed destroys the event?";
    static constexpr auto threads = std::array{"setter"};
    coro::manual_reset_event<P>* const event = new coro::manual_reset_event<P>;
    int passed = 0;

    destroyed_by_the_first_resumed() {
        wait(false);
        wait(false);
        wait(true);
    }
    void run(int /*thread*/) { event->set(); }
    detached wait(bool destroys) {
        co_await *event;
        require(destroys == (passed == 0), "the newest waiter is resumed first");
        if (destroys) delete event;
        ++passed;
    }
    void finish() { require(passed == 3, "every waiter goes on"); }
};
ORDEAL_SCENARIO("event/destroyed_by_the_first_resumed", destroyed_by_the_first_resumed);

// Suspends on `event` and sets it before await_suspend returns.
template <atomic_policy P>
class sets_while_suspending {
public:
    explicit sets_while_suspending(coro::manual_reset_event<P>& event)
        : event_(&event), inner_(event.operator co_await()) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        coro::manual_reset_event<P>* const event = event_;
        const bool suspends = inner_.await_suspend(awaiting);
        event->set();  // *this is gone when it suspended
        return suspends;
    }
    void await_resume() const noexcept {}

private:
    coro::manual_reset_event<P>* event_;
    typename coro::manual_reset_event<P>::awaiter inner_;
};

template <atomic_policy P>
struct resumed_before_await_suspend_returns {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about = "May a coroutine end, and its frame be freed, before its await_suspend has returned?";
    static constexpr auto threads = std::array{"waiter", "setter"};
    coro::manual_reset_event<P> event;
    typename P::template cell<int> passed{0};

    void run(int thread) {
        if (thread == 0) {
            wait();
        } else {
            event.set();
        }
    }
    detached wait() {
        co_await sets_while_suspending<P>(event);
        ++passed.write();
    }
    void finish() { require(passed.read() == 1, "the waiter goes on exactly once"); }
};
ORDEAL_SCENARIO("event/resumed_before_await_suspend_returns", resumed_before_await_suspend_returns);

template <atomic_policy P>
struct allocates_nothing {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about = "Do co_await and set() work when no memory is to be had?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    coro::manual_reset_event<P> event;
    typename P::template cell<int> passed{0};

    void run(int thread) {
        if (thread == 0) {
            fail_allocation(1);
            event.set();
        } else {
            wait();
        }
        fail_allocation(0);
    }
    detached wait() {
        fail_allocation(1);  // the frame is there already
        co_await event;
        ++passed.write();
    }
    void finish() { require(passed.read() == 1, "the waiter goes on exactly once"); }
};
ORDEAL_SCENARIO("event/allocates_nothing", allocates_nothing);

}  // namespace
}  // namespace ordeal::production
