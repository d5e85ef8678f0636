// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/scenarios/both_events.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace ordeal::production {
namespace {

template <class P, class Event>
struct set_against_one_waiter {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about =
        "On every path through co_await, does the waiter see what was written before set(), and its own frame?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths;
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
        typename P::template cell<int> local{7};  // in the frame
        local.write() = 8;
        co_await observed(event, how);
        seen = payload.read() + local.read();
    }
    void finish() { require(seen == 50, "the waiter goes on once, and sees both values"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("event/set_against_one_waiter", of<set_against_one_waiter>::event);
ORDEAL_SCENARIO("shared_event/set_against_one_waiter", of<set_against_one_waiter>::shared_event);

template <class P, class Event>
struct set_against_two_waiters {
    static constexpr auto subject = subject_of<Event>;
    static constexpr auto about = "Do two waiters that queue at the same time both get through, each with the payload?";
    static constexpr auto threads = std::array{"setter", "first waiter", "second waiter"};
    static constexpr auto outcomes = paths_of_two;
    Event event;
    typename P::template cell<int> payload{0};
    std::array<int, 2> seen{};
    std::array<path, 2> how{};

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            wait(static_cast<std::size_t>(thread - 1));
        }
    }
    detached wait(std::size_t index) {
        co_await observed(event, how[index]);
        seen[index] += payload.read();
    }
    void finish() { require(seen[0] == 42 && seen[1] == 42, "each waiter goes on once, and sees the payload"); }
    [[nodiscard]] std::string outcome() const { return std::string(to_string(how[0])) + ", " + to_string(how[1]); }
};
ORDEAL_SCENARIO("event/set_against_two_waiters", of<set_against_two_waiters>::event);
ORDEAL_SCENARIO("shared_event/set_against_two_waiters", of<set_against_two_waiters>::shared_event);

// `LookFirst`: each waiter asks is_set() as a coroutine does that may not have to suspend. Relacy cannot be asked to
// search that.
template <atomic_policy P, bool LookFirst>
struct three_waiters {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about =
        "Do three waiters that queue at the same time all get through, each with the payload?";
    static constexpr auto threads = std::array{"setter", "first waiter", "second waiter", "third waiter"};
    static constexpr auto outcomes = resumed_of_three;
    coro::manual_reset_event<P> event;
    typename P::template cell<int> payload{0};
    std::array<int, 3> seen{};
    std::array<path, 3> how{};

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            wait(static_cast<std::size_t>(thread - 1));
        }
    }
    detached wait(std::size_t index) {
        co_await observed(event, how[index], LookFirst);
        seen[index] += payload.read();
    }
    void finish() {
        for (const int value : seen) require(value == 42, "each waiter goes on once, and sees the payload");
    }
    [[nodiscard]] std::string outcome() const {
        return std::to_string(std::ranges::count(how, path::resumed)) + " resumed";
    }
};

template <atomic_policy P>
struct set_against_three_waiters : three_waiters<P, false> {};
ORDEAL_SCENARIO("event/set_against_three_waiters", set_against_three_waiters);

#ifdef ORDEAL_TRIAL
template <atomic_policy P>
struct set_against_three_waiters_that_look : three_waiters<P, true> {};
ORDEAL_SCENARIO("event/set_against_three_waiters_that_look", set_against_three_waiters_that_look);
#endif

template <atomic_policy P>
struct resumes_newest_first {
    static constexpr auto subject = "manual_reset_event";
    static constexpr auto about = "Does set() resume its waiters newest first, as documented?";
    static constexpr auto threads = std::array{"setter"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"cba", grade::acceptable, "newest first"},
    };
    coro::manual_reset_event<P> event;
    std::string sequence;

    resumes_newest_first() {
        for (const char name : {'a', 'b', 'c'}) wait(name);
    }
    void run(int /*thread*/) { event.set(); }
    detached wait(char name) {
        co_await event;
        sequence += name;
    }
    void finish() { require(sequence == "cba", "the newest waiter is resumed first"); }
    [[nodiscard]] std::string outcome() const { return sequence; }
};
ORDEAL_SCENARIO("event/resumes_newest_first", resumes_newest_first);

}  // namespace
}  // namespace ordeal::production
