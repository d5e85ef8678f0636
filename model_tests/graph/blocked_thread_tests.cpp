// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs in which a thread is permanently blocked, whatever the others do. They are left where a search does not follow
// all retries; what can come of a program is the same.
#include "model_tests/graph/graph_search.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Each reader may read each of the values that are no longer the newest.
template <class P>
struct waits_for_the_last {
    static constexpr auto threads = std::array{"stores", "waits", "waits"};
    atomic_int<P> stage{0};

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i <= 3; ++i) stage.store(i, relaxed);
            return;
        }
        while (stage.load(acquire) != 3) {
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(stage.load()); }
};

// An iteration that fails spuriously looks at another atomic, and so it is not seen to be none at once.
template <class P>
struct fails_spuriously {
    static constexpr auto threads = std::array{"raises", "raises"};
    atomic_int<P> open{1};
    atomic_int<P> sum{0};

    void run(int /*thread*/) {
        int seen = sum.load(relaxed);
        while (open.load(acquire) == 1 && !sum.compare_exchange_weak(seen, seen + 1, relaxed)) {
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(sum.load()); }
};

// That both loops are one function makes the search know the second as a loop when it comes to it. What that looks at
// if it reads the old value is looked at in no execution, and is written when the search has come to the dead end long
// ago.
template <class P, class Looked>
struct looks_in_a_turn {
    static constexpr auto threads = std::array{"waits twice", "lets it go, changes"};
    atomic_int<P> first{0};
    atomic_int<P> second{0};
    std::array<std::unique_ptr<Looked>, 2> looked_at{std::make_unique<Looked>(0), std::make_unique<Looked>(0)};

    // Not inlined: its first iteration begins as the others do.
    template <class Look>
    [[gnu::noinline]] static void wait(const atomic_int<P>& what, Looked& looked, Look look) {
        while (what.load(relaxed) == 0) look(looked);
    }
    template <class Look>
    void wait_twice(Look look) {
        Looked& looked = *looked_at[1];  // the pointer itself is no part of what is looked at
        wait(first, *looked_at[0], look);
        wait(second, looked, look);
    }
    void let_go() {
        second.store(1, relaxed);
        first.store(1, relaxed);
        (void)first.load(relaxed);
    }
};

template <class P>
struct looks_at_a_cell_in_a_turn : looks_in_a_turn<P, cell_int<P>> {
    void run(int thread) {
        if (thread == 0) return this->wait_twice([](auto& what) { (void)what.read(); });
        this->let_go();
        this->looked_at[1]->write() = 5;
    }
};

template <class P>
struct looks_at_an_atomic_in_a_turn : looks_in_a_turn<P, atomic_int<P>> {
    void run(int thread) {
        if (thread == 0) return this->wait_twice([](auto& what) { (void)what.load(relaxed); });
        this->let_go();
        this->looked_at[1].reset();
    }
};

// A wait that reads the value from before blocks for ever: nobody notifies.
template <class P>
struct nobody_notifies {
    static constexpr auto threads = std::array{"stores", "waits"};
    atomic_int<P> ready{0};

    void run(int thread) {
        if (thread == 0) {
            ready.store(1, relaxed);
        } else {
            ready.wait(0, relaxed);
        }
    }
};

template <class P>
struct all_are_notified {
    static constexpr auto threads = std::array{"notifies", "waits", "waits"};
    atomic_int<P> ready{0};

    void run(int thread) {
        if (thread == 0) {
            ready.store(1, relaxed);
            ready.store(2, relaxed);
            ready.notify_all();
        } else {
            ready.wait(0, relaxed);
            ready.wait(1, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(ready.load()); }
};

// Both searches have the same executions, one of them fewer that are blocked.
template <template <class> class Scenario>
void check_fewer_blocked(std::uint64_t blocked) {
    const scenario what = make_scenario<Scenario>("dead ends");
    for (const memory_model model : {memory_model::rc11, memory_model::tso, memory_model::sc}) {
        search_options how = full_search();
        how.model = model;
        const search_result some = graph_search(what, how);
        how.reductions.retries = how.reductions.blocked = false;
        const search_result all = graph_search(what, how);
        CAPTURE(some.message, some.executions, some.blocked, all.executions, all.blocked);
        CHECK(to_string(some.verdict) == to_string(all.verdict));
        CHECK(some.complete);
        CHECK(some.executions == all.executions);
        CHECK(some.outcomes == all.outcomes);
        CHECK(some.blocked == blocked);
        CHECK(all.blocked > blocked);
    }
}

template <template <class> class Scenario>
void check_found(violation_kind kind) {
    check_violated(make_scenario<Scenario>("dead ends"), kind, following_all());
    check_violated(make_scenario<Scenario>("dead ends"), kind);
}

}  // namespace

TEST_CASE("A thread that waits for another value than it has passed over makes no blocked execution") {
    check_fewer_blocked<waits_for_the_last>(0);
    check_fewer_blocked<fails_spuriously>(1);
    check_fewer_blocked<all_are_notified>(0);
}

TEST_CASE("A race with what the iteration of an endless loop alone accesses is found") {
    check_found<looks_at_a_cell_in_a_turn>(violation_kind::data_race);
    check_found<looks_at_an_atomic_in_a_turn>(violation_kind::unsynchronised_destruction);
}

TEST_CASE("A wait that blocks on a value from before is a deadlock if nobody notifies") {
    check_found<nobody_notifies>(violation_kind::deadlock);
}

}  // namespace ordeal::model_tests
