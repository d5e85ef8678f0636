// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/exhibits/locked_event.hpp"
#include "ordeal/scenario/faults.hpp"
#include "ordeal/scenario/scenario.hpp"

#include <new>

namespace ordeal::exhibits {

namespace {

template <atomic_policy P>
class relaxed_flag {
public:
    void raise() noexcept {
        // order: relaxed, as published: with the lock held the design takes the order for immaterial. It hands
        //        nothing to raised(), which takes no lock.
        value_.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool raised() const noexcept {
        // order: relaxed, as published: the fast path, which acquires nothing from raise().
        return value_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool raised_under_lock() const noexcept {
        // order: relaxed: raise() writes it under the same lock.
        return value_.load(std::memory_order_relaxed);
    }

private:
    typename P::template atomic<bool> value_{false};
};

template <atomic_policy P>
using relaxed_event = locked_event<P, relaxed_flag<P>>;

template <atomic_policy P>
struct relaxed_flag_payload_when_ready {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "relaxed_flag";
    static constexpr auto about = "An awaiter that finds the flag raised reads what was written before set().";
    static constexpr auto threads = std::array{"setter", "awaiter"};
    static constexpr auto expected = violated(violation_kind::data_race);

    relaxed_event<P> event;
    typename P::template cell<int> payload{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            consume();
        }
    }
    detached consume() {
        co_await event;
        seen = payload.read();
    }
    void finish() { require(seen == 42); }
};

ORDEAL_SCENARIO("exhibit/relaxed_flag/payload_when_ready", relaxed_flag_payload_when_ready);

template <atomic_policy P>
struct relaxed_flag_payload_under_lock {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "relaxed_flag";
    static constexpr auto about = "An awaiter that takes the lock, whether it then suspends or not, sees the payload.";
    static constexpr auto threads = std::array{"setter", "awaiter"};
    static constexpr auto expected = held;

    relaxed_event<P> event;
    typename P::template cell<int> payload{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 42;
            event.set();
        } else {
            consume();
        }
    }
    detached consume() {
        co_await past_ready_check(event);
        seen = payload.read();
    }
    void finish() { require(seen == 42); }
};

ORDEAL_SCENARIO("exhibit/relaxed_flag/payload_under_lock", relaxed_flag_payload_under_lock);

template <atomic_policy P>
struct relaxed_flag_vector_allocation_failure {
    static constexpr bool exhibit = true;
    static constexpr auto subject = "relaxed_flag";
    static constexpr auto about =
        "When the vector cannot grow, std::bad_alloc leaves co_await; no waiter is lost and the event stays usable.";
    static constexpr auto threads = std::array{"setter", "awaiters"};
    static constexpr auto expected = held;

    relaxed_event<P> event;
    bool first_done = false;
    bool second_done = false;
    bool thrown = false;

    void run(int thread) {
        if (thread == 0) {
            event.set();
        } else {
            first();
            second();
        }
    }
    detached first() {
        co_await event;
        first_done = true;
    }
    detached second() {
        fail_allocation(1);
        try {
            co_await event;
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        if (thrown) {
            co_await event;
        } else {
            fail_allocation(0);
        }
        second_done = true;
    }
    void finish() {
        require(first_done, "the waiter that was queued before the failure is resumed");
        require(second_done, "the coroutine that met the failure can await again");
    }
    std::string outcome() { return thrown ? "bad_alloc" : "no allocation needed"; }
};

ORDEAL_SCENARIO("exhibit/relaxed_flag/vector_allocation_failure", relaxed_flag_vector_allocation_failure);

}  // namespace

}  // namespace ordeal::exhibits
