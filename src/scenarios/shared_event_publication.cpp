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
struct is_set_publishes {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "When is_set() returns true, is what was written before set() visible?";
    static constexpr auto threads = std::array{"setter", "reader"};
    static constexpr auto outcomes = set_or_not;
    coro::awaitable_event<P> event;
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
ORDEAL_SCENARIO("shared_event/is_set_publishes", is_set_publishes);

template <atomic_policy P>
struct refused_waiter_sees_payload {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about =
        "When the event is set after await_ready, does the waiter that is refused see what was written before set()?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_without_a_look;
    coro::awaitable_event<P> event;
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
ORDEAL_SCENARIO("shared_event/refused_waiter_sees_payload", refused_waiter_sees_payload);

template <atomic_policy P>
struct resumed_waiter_brings_its_data {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about =
        "Does a coroutine that goes on in the setter's thread find what it wrote in its own thread before it waited?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths_without_a_look;
    coro::awaitable_event<P> event;
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
ORDEAL_SCENARIO("shared_event/resumed_waiter_brings_its_data", resumed_waiter_brings_its_data);

}  // namespace
}  // namespace ordeal::production
