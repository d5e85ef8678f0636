// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/scenario/scenario.hpp"
#include "scenarios/support.hpp"

#include <array>
#include <string>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct set_reset_against_await {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about =
        "Is a waiter that meets a set() and a reset() neither lost nor let through too early?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_with_reset;
    coro::awaitable_event<P> event;
    typename P::template cell<int> payload{0};
    int seen = 0;
    path how = path::none;
    bool late = false;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
            event.reset();
        } else {
            wait();
        }
    }
    detached wait() {
        co_await observed(event, how);
        seen += payload.read();
    }
    void finish() {
        late = seen == 0;
        event.set();  // for the waiter that came after reset()
        require(seen == 42, "the waiter goes on once, and sees the payload");
    }
    [[nodiscard]] std::string outcome() const { return late ? "resumed by the next set()" : to_string(how); }
};
ORDEAL_SCENARIO("shared_event/set_reset_against_await", set_reset_against_await);

template <atomic_policy P>
struct set_reset_set_against_two_awaits {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "Does a waiter that awaits twice get through set(), reset(), set() both times?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_of_two_in_turn;
    coro::awaitable_event<P> event;
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
ORDEAL_SCENARIO("shared_event/set_reset_set_against_two_awaits", set_reset_set_against_two_awaits);

template <atomic_policy P>
struct initially_set_against_reset {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "Does an event set before the threads begin let a waiter through until it is reset?";
    static constexpr auto threads = std::array{"resetter", "waiter"};
    static constexpr auto outcomes = paths_until_reset;
    coro::awaitable_event<P> event;
    int passed = 0;
    path how = path::none;
    bool late = false;

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
ORDEAL_SCENARIO("shared_event/initially_set_against_reset", initially_set_against_reset);

}  // namespace
}  // namespace ordeal::production
