// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace ordeal::production {
namespace {

// As event_publication.cpp has it for the other event, without a second template parameter: README.md begins with that one.
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
struct set_against_three_waiters {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "With two waiters queued and a third coming, do all three get through?";
    static constexpr auto threads = std::array{"setter", "third waiter"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"2 resumed", grade::acceptable, "the third came after set()"},
        outcome_grade{"3 resumed", grade::acceptable, "the third was queued before set()"},
    };
    coro::awaitable_event<P> event;
    typename P::template cell<int> payload{0};
    std::array<int, 3> seen{};
    std::array<path, 3> how{};

    set_against_three_waiters() {
        wait(0);
        wait(1);
    }
    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            wait(2);
        }
    }
    detached wait(std::size_t index) {
        co_await observed(event, how[index]);
        seen[index] += payload.read();
    }
    void finish() {
        for (const int value : seen) require(value == 42, "each waiter goes on once, and sees the payload");
    }
    [[nodiscard]] std::string outcome() const {
        return std::to_string(std::ranges::count(how, path::resumed)) + " resumed";
    }
};
ORDEAL_SCENARIO("shared_event/set_against_three_waiters", set_against_three_waiters);

template <atomic_policy P>
struct resumes_oldest_first {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "Does set() resume its waiters oldest first, as documented?";
    static constexpr auto threads = std::array{"setter"};
    static constexpr auto outcomes = std::array{
        outcome_grade{"abc", grade::acceptable, "oldest first"},
    };
    coro::awaitable_event<P> event;
    std::string sequence;

    resumes_oldest_first() {
        for (const char name : {'a', 'b', 'c'}) wait(name);
    }
    void run(int /*thread*/) { event.set(); }
    detached wait(char name) {
        co_await event;
        sequence += name;
    }
    void finish() { require(sequence == "abc", "the oldest waiter is resumed first"); }
    [[nodiscard]] std::string outcome() const { return sequence; }
};
ORDEAL_SCENARIO("shared_event/resumes_oldest_first", resumes_oldest_first);

}  // namespace
}  // namespace ordeal::production
