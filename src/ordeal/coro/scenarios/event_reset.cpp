// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/scenarios/both_events.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <concepts>
#include <string>

namespace ordeal::production {
namespace {

// A waiter that may come after reset(), and then waits for the set() in finish().
template <class P, class Event>
struct one_payload {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_with_reset;
    Event event;
    typename P::template cell<int> payload{0};
    int seen = 0;
    path how = path::none;
    bool late = false;

    detached wait() {
        co_await observed(event, how);
        seen += payload.read();
    }
    void set_in_the_end() {
        event.set();
        require(seen == 42, "the waiter goes on once, and sees the payload");
    }
    [[nodiscard]] std::string outcome() const { return late ? "resumed by the next set()" : to_string(how); }
};

template <class P, class Event>
struct set_reset_against_await : one_payload<P, Event> {
    static constexpr auto about =
        "Is a waiter that meets a set() and a reset() neither lost nor let through too early?";

    void run(int thread) {
        if (thread == 0) {
            this->payload.write() = 42;
            this->event.set();
            this->event.reset();
        } else {
            this->wait();
        }
    }
    void finish() {
        this->late = this->seen == 0;
        this->set_in_the_end();  // for the waiter that came after reset()
    }
};
ORDEAL_SCENARIO("event/set_reset_against_await", of<set_reset_against_await>::event);
ORDEAL_SCENARIO("shared_event/set_reset_against_await", of<set_reset_against_await>::shared_event);

template <class P, class Event>
struct set_reset_set_against_two_awaits {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about = "Does a waiter that awaits twice get through set(), reset(), set() both times?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_of_two_in_turn;
    Event event;
    typename P::template cell<int> payload{0};
    int seen = 0;
    std::array<path, 2> how{};

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
            event.reset();
            event.set();
        } else {
            wait();
        }
    }
    detached wait() {
        co_await observed(event, how[0]);
        seen += payload.read();
        co_await observed(event, how[1]);
        seen += payload.read();
    }
    void finish() { require(seen == 84, "the waiter goes on twice, and sees the payload"); }
    [[nodiscard]] std::string outcome() const { return std::string(to_string(how[0])) + ", " + to_string(how[1]); }
};
ORDEAL_SCENARIO("event/set_reset_set_against_two_awaits", of<set_reset_set_against_two_awaits>::event);
ORDEAL_SCENARIO("shared_event/set_reset_set_against_two_awaits", of<set_reset_set_against_two_awaits>::shared_event);

template <atomic_policy P>
struct set_against_reset_against_await {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about = "Does a reset() from a third thread leave a queued waiter to the next set()?";
    static constexpr auto threads = std::array{"setter", "resetter", "waiter"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"through", grade::acceptable, "set() let it through, or it was queued before"},
        outcome_grade{"resumed by the next set()", grade::acceptable, "reset() came between set() and the waiter"},
    };
    coro::manual_reset_event<P> event;
    typename P::template cell<int> payload{0};
    int seen = 0;
    bool late = false;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else if (thread == 1) {
            event.reset();
        } else {
            wait();
        }
    }
    detached wait() {
        co_await event;
        seen += payload.read();
    }
    void finish() {
        late = seen == 0;
        event.set();
        require(seen == 42, "the waiter goes on once, and sees the payload");
    }
    [[nodiscard]] std::string outcome() const { return late ? "resumed by the next set()" : "through"; }
};
ORDEAL_SCENARIO("event/set_against_reset_against_await", set_against_reset_against_await);

template <atomic_policy P>
struct set_after_reset_by_another {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about =
        "Does a reset() between two set() calls of two threads keep what the first of them publishes?";
    static constexpr auto threads = std::array{"first setter", "second setter", "reader"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"set once, not read", grade::acceptable, "the second setter came before the first"},
        outcome_grade{"set once, read", grade::acceptable, "the reader saw the first set()"},
        outcome_grade{"set twice, not read", grade::acceptable, "the reader came before, or in between"},
        outcome_grade{"set twice, read", grade::acceptable, "the reader saw either set()"},
    };
    coro::manual_reset_event<P> event;
    typename P::template cell<int> first{0};
    typename P::template cell<int> second{0};
    bool was_set = false;

    void run(int thread) {
        if (thread == 0) {
            first.write() = 1;
            event.set();
        } else if (thread == 1) {
            if (!event.is_set()) return;
            event.reset();
            second.write() = first.read() + 1;
            event.set();
        } else if (event.is_set()) {
            was_set = true;
            require(first.read() == 1, "what came before the first set() is visible after either");
        }
    }
    void finish() { require(event.is_set()); }
    [[nodiscard]] std::string outcome() const {
        return std::string(second.read() == 2 ? "set twice" : "set once") + (was_set ? ", read" : ", not read");
    }
};
ORDEAL_SCENARIO("event/set_after_reset_by_another", set_after_reset_by_another);

template <class P, class Event>
struct initially_set_against_reset {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about = "Does an event set before the threads begin let a waiter through until it is reset?";
    static constexpr auto threads = std::array{"resetter", "waiter"};
    static constexpr auto outcomes = paths_until_reset;
    Event event;
    int passed = 0;
    path how = path::none;
    bool late = false;

    initially_set_against_reset()
        requires std::constructible_from<Event, bool>
        : event(true) {}
    initially_set_against_reset() { event.set(); }
    void run(int thread) {
        if (thread == 0) {
            event.reset();
        } else {
            wait();
        }
    }
    detached wait() {
        co_await observed(event, how);
        ++passed;
    }
    void finish() {
        late = passed == 0;
        require(!event.is_set(), "reset() took effect");
        event.set();
        require(passed == 1, "the waiter goes on once");
    }
    [[nodiscard]] std::string outcome() const { return late ? "resumed by the next set()" : to_string(how); }
};
ORDEAL_SCENARIO("event/initially_set_against_reset", of<initially_set_against_reset>::event);
ORDEAL_SCENARIO("shared_event/initially_set_against_reset", of<initially_set_against_reset>::shared_event);

template <class P, class Event>
struct reset_then_await_against_set : one_payload<P, Event> {
    static constexpr auto about =
        "When a thread resets and then awaits, is the event set in the end exactly if set() let its waiter through?";

    void run(int thread) {
        if (thread == 0) {
            this->payload.write() = 42;
            this->event.set();
        } else {
            this->event.reset();
            this->wait();
        }
    }
    void finish() {
        this->late = this->seen == 0;
        require(this->event.is_set() != this->late,
                "set() came before reset(), or lets the waiter through and leaves the event set");
        this->set_in_the_end();
    }
};
ORDEAL_SCENARIO("event/reset_then_await_against_set", of<reset_then_await_against_set>::event);
ORDEAL_SCENARIO("shared_event/reset_then_await_against_set", of<reset_then_await_against_set>::shared_event);

template <class P, class Event>
struct queued_after_others_went_on {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about =
        "Has a waiter that comes after set() and reset() nothing to do with one that set() resumed, and that is gone?";
    static constexpr auto threads = std::array{"setter", "second waiter"};
    static constexpr auto outcomes = paths_with_reset;
    Event event;
    int first_passed = 0;
    int second_passed = 0;
    path how_first = path::none;
    path how_second = path::none;
    bool late = false;

    queued_after_others_went_on() { wait(how_first, first_passed); }
    void run(int thread) {
        if (thread == 0) {
            event.set();
            event.reset();
        } else {
            wait(how_second, second_passed);
        }
    }
    detached wait(path& how, int& passed) {
        co_await observed(event, how);
        ++passed;
    }
    void finish() {
        late = how_second == path::none;
        event.set();
        require(first_passed == 1 && second_passed == 1 && how_first == path::resumed, "each waiter goes on once");
    }
    [[nodiscard]] std::string outcome() const { return late ? "resumed by the next set()" : to_string(how_second); }
};
ORDEAL_SCENARIO("event/queued_after_others_went_on", of<queued_after_others_went_on>::event);
ORDEAL_SCENARIO("shared_event/queued_after_others_went_on", of<queued_after_others_went_on>::shared_event);

template <class P, class Event>
struct initially_set {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about = "Does an event that begins set let every waiter through without suspending it?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    Event event;
    path how = path::none;

    initially_set()
        requires std::constructible_from<Event, bool>
        : event(true) {}
    initially_set() { event.set(); }
    void run(int thread) {
        if (thread == 0) {
            event.set();  // changes nothing
        } else {
            wait();
        }
    }
    detached wait() { co_await observed(event, how); }
    void finish() { require(how == path::ready, "the waiter is not suspended"); }
};
ORDEAL_SCENARIO("event/initially_set", of<initially_set>::event);
ORDEAL_SCENARIO("shared_event/initially_set", of<initially_set>::shared_event);

}  // namespace
}  // namespace ordeal::production
