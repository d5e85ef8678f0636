// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches that do not go through everything, or not alone: what they find, and what they say about themselves.
#include "model_tests/graph/counting_up.hpp"
#include "model_tests/support/same_trace.hpp"

#include "ordeal/engine/graph/search/estimates.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Violated unless one thread is over before the other begins.
template <class P>
struct violated_when_mixed {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};

    void run(int) {
        const int before = x.fetch_add(1, relaxed);
        require(x.fetch_add(1, relaxed) == before + 1, "nobody comes between");
    }
};

// The same on a machine that has something else to do when the search begins. A second would change nothing.
template <class P>
struct violated_on_a_slow_machine : violated_when_mixed<P> {
    violated_on_a_slow_machine() {
        static bool begun = false;
        if (!std::exchange(begun, true)) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
};

// Needs a value that was overwritten several times.
template <class P>
struct violated_when_stale {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    typename P::template atomic<int> y{0};

    void run(int thread) {
        if (thread == 0) {
            for (const int value : {1, 2, 3}) x.store(value, relaxed);
            y.store(1, relaxed);
        } else if (y.load(relaxed) == 1) {
            require(x.load(relaxed) != 1, "not so old a value");
        }
    }
};

// Violated in one of many executions, where the last of five threads comes first.
template <class P>
struct violated_rarely {
    static constexpr auto threads = std::array{"1", "2", "3", "4", "last"};
    typename P::template atomic<int> x{0};

    void run(int thread) {
        for (int i = 0; i < 3; ++i) {
            const int seen = x.fetch_add(1, relaxed);
            require(thread != 4 || i != 2 || seen != 2, "the last one is not over first");
        }
    }
};

// The same, but only in executions that a search comes to late: with the second thread before the first.
template <class P>
struct violated_late {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> x{0};

    void run(int thread) {
        for (int i = 0; i < 4; ++i) {
            const int seen = x.fetch_add(1, relaxed);
            require(thread != 1 || i != 1 || seen != 1, "the second thread does not come first, and twice");
        }
    }
};

// Waits that another thread ends: in a loop, for a mutex, for a notification.
template <class P>
struct waits_in_turn {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> turn{0};
    typename P::mutex mutex;
    typename P::template atomic<int> done{0};

    void run(int thread) {
        while (turn.load(acquire) != thread) {
        }
        turn.store(thread + 1, release);
        mutex.lock();
        const bool last = done.fetch_add(1, relaxed) == 2;
        mutex.unlock();
        if (last) {
            turn.store(9, release);
            turn.notify_all();
        } else {
            for (int now = turn.load(acquire); now != 9; now = turn.load(acquire)) turn.wait(now, acquire);
        }
    }
    [[nodiscard]] std::string outcome() const { return "ended"; }
};

search_options sampling(search_mode mode, std::uint64_t executions, std::uint64_t seed) {
    search_options how;
    how.strategy.mode = mode;
    how.strategy.bound = executions;
    how.strategy.seed = seed;
    return how;
}

constexpr auto sampling_modes = {search_mode::random, search_mode::pct, search_mode::pos, search_mode::surw};

}  // namespace

TEST_CASE("A search by random executions makes as many as were asked for, and names the seed") {
    for (const search_mode mode : sampling_modes) {
        const search_result result = graph_search(three_times_four(), sampling(mode, 500, 11));
        CHECK(result.verdict == verdict::held_within);
        CHECK(result.complete);
        CHECK(result.executions == 500);
        CHECK(names_limit(result, "500 random executions, seed 11"));
        CHECK(result.limits.size() == 1);
        CHECK(outcomes_of(result).size() > 1);
    }
}

TEST_CASE("A search by random executions finds a violation that is likely, and shows it") {
    for (const search_mode mode : sampling_modes) {
        for (const scenario& what : {make_scenario<violated_when_mixed>("violated when mixed"),
                                     make_scenario<violated_when_stale>("violated when stale")}) {
            const search_result result =
                check_violated(what, violation_kind::failed_requirement, sampling(mode, 1000, 3));
            CHECK(result.executions < 1000);
            CHECK_FALSE(result.trace.empty());
        }
    }
}

TEST_CASE("A search by random executions goes on where a thread waits for another") {
    const scenario what = make_scenario<waits_in_turn>("waits in turn");
    check_held(what, {"ended"});
    for (const search_mode mode : sampling_modes) {
        const search_result result = graph_search(what, sampling(mode, 200, 5));
        CAPTURE(result.blocked);
        CHECK(result.verdict == verdict::held_within);
        CHECK(result.executions > 100);
        CHECK(outcomes_of(result) == outcome_set{"ended"});
    }
}

TEST_CASE("What a violated search counts does not hang on how fast the machine is") {
    const search_options automatic;
    const search_result fast = graph_search(make_scenario<violated_when_mixed>("violated when mixed"), automatic);
    const search_result slow =
        graph_search(make_scenario<violated_on_a_slow_machine>("violated on a slow machine"), automatic);
    REQUIRE(fast.verdict == verdict::violated);
    CHECK(fast.executions > 1);
    CHECK(slow.executions == fast.executions);
    CHECK(slow.blocked == fast.blocked);
}

TEST_CASE("A PCT search of small depth finds what needs one thread to be far ahead") {
    const scenario what = make_scenario<violated_rarely>("violated rarely");
    search_options how = sampling(search_mode::pct, 200, 1);
    how.strategy.depth = 1;
    CHECK(graph_search(what, how).kind == violation_kind::failed_requirement);
    CHECK(graph_search(what).kind == violation_kind::failed_requirement);
}

TEST_CASE("A search by random executions repeats itself with the same seed, and not with another") {
    for (const search_mode mode : sampling_modes) {
        const scenario what = make_scenario<violated_rarely>("violated rarely");
        const search_result first = graph_search(what, sampling(mode, 300, 7));
        const search_result again = graph_search(what, sampling(mode, 300, 7));
        check_same(first, again);
        CHECK(first.replay == again.replay);
        CHECK(same_trace(first.trace, again.trace));
        const search_result counted = graph_search(three_times_four(), sampling(mode, 300, 7));
        check_same(counted, graph_search(three_times_four(), sampling(mode, 300, 7)));
        CHECK(counted.outcomes != graph_search(three_times_four(), sampling(mode, 300, 8)).outcomes);
    }
}

TEST_CASE("A search by graph cut by its time budget is not complete and has held only within that") {
    for (const search_mode mode : {search_mode::automatic, search_mode::full}) {
        search_options how;
        how.strategy.mode = mode;
        how.resources.seconds = 0.05;
        const search_result result = graph_search(make_scenario<counting_up<5, 6>::test>("five times six"), how);
        CHECK(result.verdict == verdict::held_within);
        CHECK_FALSE(result.complete);
        CHECK_FALSE(result.stopped);
        CHECK(result.executions > 0);
        CHECK(names_limit(result, "was ended after " + std::to_string(result.executions) + " execution"));
    }
}

TEST_CASE("Processes that share a search come to the same counts, outcomes and sites as one") {
    const search_result alone = graph_search(three_times_four());
    CHECK(alone.executions == interleavings_of_three_times_four);
    CHECK(alone.outcomes.size() == 9);
    for (const unsigned jobs : {2U, 3U}) {
        search_options how = full_search();
        how.resources.jobs = jobs;
        const search_result shared = graph_search(three_times_four(), how);
        CAPTURE(jobs, shared.message);
        CHECK(shared.verdict == verdict::held);
        CHECK(shared.complete);
        check_same(alone, shared);
    }
}

TEST_CASE("Processes that share a search find the violation that one finds") {
    search_options how = full_search();
    how.resources.jobs = 2;
    const search_result result = graph_search(make_scenario<violated_late>("violated late"), how);
    CHECK(result.kind == violation_kind::failed_requirement);
    CHECK(result.message == "the second thread does not come first, and twice");
    CHECK(result.executions > 20'000);  // a smaller part of a search is not shared
    CHECK_FALSE(result.trace.empty());
}

TEST_CASE("The size of a search is estimated within a factor of ten, and closely from many ways") {
    const scenario what = three_times_four();
    graph::execution_runner runs(what, {.spurious = 0});
    const auto truth = static_cast<double>(interleavings_of_three_times_four);
    graph::size_estimate few;
    few.probe(runs, 200);
    CAPTURE(few.mean(), few.error());
    CHECK(few.mean() > truth / 10);
    CHECK(few.mean() < truth * 10);
    graph::size_estimate many;
    many.probe(runs, 10'000);
    CAPTURE(many.mean(), many.error());
    CHECK(std::abs(many.mean() - truth) < 4 * many.error());
    CHECK(many.error() < truth / 5);
}

}  // namespace ordeal::model_tests
