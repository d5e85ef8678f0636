// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/both_events.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <string>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct is_set_publishes {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about = "When is_set() returns true, is what was written before set() visible?";
    static constexpr auto threads = std::array{"setter", "reader"};
    static constexpr auto outcomes = set_or_not;
    coro::manual_reset_event<P> event;
    typename P::template cell<int> payload{0};
    bool was_set = false;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else if (event.is_set()) {
            was_set = true;
            require(payload.read() == 42, "the reader sees the payload");
        }
    }
    void finish() { require(event.is_set()); }
    [[nodiscard]] std::string outcome() const { return was_set ? "set" : "not set"; }
};
ORDEAL_SCENARIO("event/is_set_publishes", is_set_publishes);

template <class P, class Event>
struct refused_waiter_sees_payload {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about =
        "When the event is set after await_ready, does the waiter that is refused see what was written before set()?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_without_a_look;
    Event event;
    typename P::template cell<int> payload{0};
    int seen = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            wait();
        }
    }
    detached wait() {
        co_await observed(event, how, false);
        seen += payload.read();
    }
    void finish() { require(seen == 42, "the waiter goes on once, and sees the payload"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("event/refused_waiter_sees_payload", of<refused_waiter_sees_payload>::event);
ORDEAL_SCENARIO("shared_event/refused_waiter_sees_payload", of<refused_waiter_sees_payload>::shared_event);

template <atomic_policy P>
struct push_onto_a_queue_fails {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about =
        "Does a waiter whose push fails because of set(), with another waiter queued before, see the payload?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_without_a_look;
    coro::manual_reset_event<P> event;
    typename P::template cell<int> payload{0};
    int seen_by_first = 0;
    int seen_by_second = 0;
    path how = path::none;

    push_onto_a_queue_fails() { wait_first(); }
    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            wait_second();
        }
    }
    detached wait_first() {
        co_await event;
        seen_by_first += payload.read();
    }
    detached wait_second() {
        co_await observed(event, how, false);
        seen_by_second += payload.read();
    }
    void finish() {
        require(seen_by_first == 42 && seen_by_second == 42, "each waiter goes on once, and sees the payload");
    }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("event/push_onto_a_queue_fails", push_onto_a_queue_fails);

template <class P, class Event>
struct resumed_waiter_brings_its_data {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about =
        "Does a coroutine that goes on in the setter's thread find what it wrote in its own thread before it waited?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_without_a_look;
    Event event;
    typename P::template cell<int> written{0};
    int seen = 0;
    path how = path::none;

    void run(int thread) {
        if (thread == 0) {
            event.set();
        } else {
            wait();
        }
    }
    detached wait() {
        written.write() = 42;
        co_await observed(event, how, false);
        seen += written.read();
    }
    void finish() { require(seen == 42, "the waiter finds what it wrote"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("event/resumed_waiter_brings_its_data", of<resumed_waiter_brings_its_data>::event);
ORDEAL_SCENARIO("shared_event/resumed_waiter_brings_its_data", of<resumed_waiter_brings_its_data>::shared_event);

}  // namespace
}  // namespace ordeal::production
