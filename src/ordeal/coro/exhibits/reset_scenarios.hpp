// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/coro/detached.hpp"
#include "ordeal/scenario/scenario.hpp"

namespace ordeal::exhibits {

template <class Event>
struct reset_scenario {
    static constexpr bool exhibit = true;
    static constexpr auto subject = Event::design;

    Event event;
};

/// The use that reset() is for: nothing but set() and co_await hands data over.
template <atomic_policy P, class Event>
struct awaited_again : reset_scenario<Event> {
    static constexpr auto about = "The event is set, awaited, reset, and awaited again while it is set again.";
    static constexpr auto threads = std::array{"setter", "awaiter"};
    static constexpr auto expected = held;

    typename P::template cell<int> first{0};
    typename P::template cell<int> second{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            first.write() = 1;
            this->event.set();
            second.write() = 2;
            this->event.set();
        } else {
            consume();
        }
    }
    detached consume() {
        co_await this->event;
        require(first.read() == 1, "what was written before the first set() is seen");
        this->event.reset();
        co_await this->event;
        seen = second.read();
    }
    void finish() {
        this->event.set();  // both calls may have come before the reset
        require(seen == 2, "what was written before the second set() is seen");
    }
};

/// Question 1: does reset() release? A setter that finds the event not set after it set it knows that somebody reset
/// it, and takes that for "I have used what you gave me".
template <atomic_policy P, class Event>
struct acknowledgement : reset_scenario<Event> {
    static constexpr auto about =
        "A setter that finds its event reset overwrites what the resetter read before reset().";
    static constexpr auto threads = std::array{"setter", "resetter"};

    typename P::template cell<int> payload{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 1;
            this->event.set();
            if (!this->event.is_set()) payload.write() = 2;
        } else {
            consume();
        }
    }
    detached consume() {
        co_await this->event;
        seen = payload.read();
        this->event.reset();
    }
    void finish() { require(seen == 1); }
    int outcome() { return payload.read(); }
};

/// Question 2: does reset() acquire? A thread resets the event without having awaited it, learns that its reset took
/// effect from a word that orders nothing, and takes over what the setter wrote.
template <atomic_policy P, class Event>
struct takeover : reset_scenario<Event> {
    static constexpr auto about =
        "A thread that knows that its reset() ended a set() overwrites what the setter wrote.";
    static constexpr auto threads = std::array{"setter", "resetter"};

    typename P::template cell<int> payload{0};
    typename P::template atomic<bool> was_reset{false};

    void run(int thread) {
        if (thread == 0) {
            payload.write() = 1;
            this->event.set();
            // order: relaxed: it says that the one reset() there is came after set(). Only the event may order the
            //        payload.
            if (!this->event.is_set()) was_reset.store(true, std::memory_order_relaxed);
        } else {
            this->event.reset();
            // order: relaxed: as above.
            if (was_reset.load(std::memory_order_relaxed)) payload.write() = 2;
        }
    }
    int outcome() { return payload.read(); }
};

}  // namespace ordeal::exhibits
