// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/scenarios/support.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <array>
#include <optional>
#include <string>

namespace ordeal::production {
namespace {

template <atomic_policy P>
struct last_copy_dropped {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "When two threads drop the last two copies, does the block outlive the use of both?";
    static constexpr auto threads = std::array{"first", "second"};
    std::array<std::optional<coro::awaitable_event<P>>, 2> handles;

    last_copy_dropped() { handles[1] = handles[0].emplace(); }
    void run(int thread) { handles[static_cast<std::size_t>(thread)].reset(); }
};
ORDEAL_SCENARIO("shared_event/last_copy_dropped", last_copy_dropped);

template <atomic_policy P>
struct last_copy_dropped_while_another_sets {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "Does the shared block outlive a set() when the other copy is dropped meanwhile?";
    static constexpr auto threads = std::array{"setter", "dropper"};
    std::optional<coro::awaitable_event<P>> setter;
    std::optional<coro::awaitable_event<P>> dropper;

    last_copy_dropped_while_another_sets() { dropper = setter.emplace(); }
    void run(int thread) {
        if (thread == 0) {
            setter->set();
            setter.reset();
        } else {
            dropper.reset();
        }
    }
};
ORDEAL_SCENARIO("shared_event/last_copy_dropped_while_another_sets", last_copy_dropped_while_another_sets);

template <atomic_policy P>
struct copied_while_another_sets {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about = "Does a copy made while the other handle sets and goes stand for the same event?";
    static constexpr auto threads = std::array{"setter", "copier"};
    static constexpr auto outcomes = set_or_not;
    std::optional<coro::awaitable_event<P>> setter;
    std::optional<coro::awaitable_event<P>> copier;
    typename P::template cell<int> payload{0};
    bool was_set = false;

    copied_while_another_sets() { copier = setter.emplace(); }
    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            setter->set();
            setter.reset();
        } else {
            const coro::awaitable_event<P> copy = *copier;
            copier.reset();
            was_set = copy.is_set();
            if (was_set) require(payload.read() == 42, "the payload is visible through the copy");
        }
    }
    [[nodiscard]] std::string outcome() const { return was_set ? "set" : "not set"; }
};
ORDEAL_SCENARIO("shared_event/copied_while_another_sets", copied_while_another_sets);

template <atomic_policy P>
struct waiter_keeps_it_alive {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about =
        "Does a suspended waiter that dropped its handle keep the block until it has gone on?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths;
    std::optional<coro::awaitable_event<P>> setter;
    std::optional<coro::awaitable_event<P>> waiter;
    typename P::template cell<int> payload{0};
    int seen = 0;
    path how = path::none;

    waiter_keeps_it_alive() { waiter = setter.emplace(); }
    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            setter->set();
            setter.reset();
        } else {
            wait();
        }
    }
    detached wait() {
        auto awaiter = waiter->operator co_await();
        waiter.reset();
        co_await observed(awaiter, how);
        seen += payload.read();
    }
    void finish() { require(seen == 42, "the waiter goes on once, and sees the payload"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("shared_event/waiter_keeps_it_alive", waiter_keeps_it_alive);

template <atomic_policy P>
struct destroyed_by_one_who_gets_through {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about =
        "May a coroutine that gets through co_await, even without suspending, destroy the only handle while set() "
        "runs?";
    static constexpr auto threads = std::array{"setter", "waiter"};
    static constexpr auto outcomes = paths;
    std::optional<coro::awaitable_event<P>> event{std::in_place};
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
        event.reset();
    }
    void finish() { require(!event, "the waiter goes on"); }
    [[nodiscard]] std::string outcome() const { return to_string(how); }
};
ORDEAL_SCENARIO("shared_event/destroyed_by_one_who_gets_through", destroyed_by_one_who_gets_through);

template <atomic_policy P>
struct destroyed_by_its_waiter {
    static constexpr auto subject = "awaitable_event";
    static constexpr auto about =
        "May a resumed waiter destroy the handle that set() was called on, the last but one reference, in set()?";
    static constexpr auto threads = std::array{"setter", "dropper"};
    std::optional<coro::awaitable_event<P>> setter;
    std::optional<coro::awaitable_event<P>> dropper;
    int passed = 0;

    destroyed_by_its_waiter() {
        dropper = setter.emplace();
        wait();
        wait();
    }
    void run(int thread) {
        if (thread == 0) {
            setter->set();
        } else {
            dropper.reset();
        }
    }
    detached wait() {
        co_await *setter;
        if (passed++ == 0) setter.reset();
    }
    void finish() { require(passed == 2, "both waiters go on"); }
};
ORDEAL_SCENARIO("shared_event/destroyed_by_its_waiter", destroyed_by_its_waiter);

}  // namespace
}  // namespace ordeal::production
