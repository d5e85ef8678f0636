// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/scenarios/both_events.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"

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
template <class Event>
class sets_while_suspending {
public:
    explicit sets_while_suspending(Event& event) : event_(&event), inner_(event.operator co_await()) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    [[nodiscard]] bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
        Event* const event = event_;
        const bool suspends = inner_.await_suspend(awaiting);
        event->set();  // *this is gone when it suspended
        return suspends;
    }
    void await_resume() const noexcept {}

private:
    Event* event_;
    typename Event::awaiter inner_;
};

template <class P, class Event>
struct resumed_before_await_suspend_returns {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about = "May a coroutine end, and its frame be freed, before its await_suspend has returned?";
    static constexpr auto threads = std::array{"waiter", "setter"};
    Event event;
    typename P::template cell<int> passed{0};

    void run(int thread) {
        if (thread == 0) {
            wait();
        } else {
            event.set();
        }
    }
    detached wait() {
        co_await sets_while_suspending<Event>(event);
        ++passed.write();
    }
    void finish() { require(passed.read() == 1, "the waiter goes on exactly once"); }
};
ORDEAL_SCENARIO("event/resumed_before_await_suspend_returns", of<resumed_before_await_suspend_returns>::event);
ORDEAL_SCENARIO("shared_event/resumed_before_await_suspend_returns",
                of<resumed_before_await_suspend_returns>::shared_event);

template <class P, class Event>
struct allocates_nothing {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about = "Do co_await and set() work when no memory is to be had?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    Event event;
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
ORDEAL_SCENARIO("event/allocates_nothing", of<allocates_nothing>::event);
ORDEAL_SCENARIO("shared_event/awaiting_allocates_nothing", of<allocates_nothing>::shared_event);

}  // namespace
}  // namespace ordeal::production
