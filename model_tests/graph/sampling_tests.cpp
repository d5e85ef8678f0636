// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random executions: how evenly each kind of sampler takes them, and that a violation found so is shrunk.
#include "model_tests/graph/graph_search.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"
#include "ordeal/engine/graph/core/explorer/explorer.hpp"
#include "ordeal/engine/graph/search/random_executions.hpp"
#include "ordeal/engine/graph/search/samplers.hpp"
#include "ordeal/engine/graph/search/shrinking.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

search_options sampling(search_mode mode, std::uint64_t executions) {
    search_options how;
    how.strategy.mode = mode;
    how.strategy.bound = executions;
    how.strategy.seed = 1;
    return how;
}

/// One thread does so many operations on its own, and then one that meets the other thread's only one.
template <class P>
struct far_ahead {
    static constexpr auto threads = std::array{"long", "short"};
    static constexpr int rounds = 20;
    typename P::template atomic<int> own{0};
    typename P::template atomic<int> met{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            for (int i = 0; i < rounds; ++i) own.fetch_add(1, relaxed);
            met.fetch_add(1, relaxed);
        } else {
            seen = met.fetch_add(1, relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return seen == 0 ? "first" : "last"; }
};

/// Where one operation comes among many others at one location.
template <class P>
struct one_among_many {
    static constexpr auto threads = std::array{"many", "one"};
    static constexpr int rounds = 20;
    typename P::template atomic<int> count{0};
    int seen = 0;

    void run(int thread) {
        for (int i = 0; thread == 0 && i < rounds; ++i) count.fetch_add(1, relaxed);
        if (thread == 1) seen = count.fetch_add(1, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return seen >= rounds * 3 / 4 ? "late" : "early"; }
};

std::uint64_t times(const search_result& result, const std::string& outcome) {
    const auto found = result.outcomes.find(outcome);
    return found == result.outcomes.end() ? 0 : found->second;
}

/// An update that is lost among many operations that serve nothing.
template <class P>
struct late_lost_update {
    static constexpr auto threads = std::array{"first", "second"};
    static constexpr int rounds = 50;
    typename P::mutex lock;
    typename P::template atomic<int> noise{0};
    typename P::template atomic<int> value{0};

    void make_noise() {
        for (int i = 0; i < rounds; ++i) {
            noise.fetch_add(1, relaxed);
            const std::scoped_lock guard(lock);
            noise.fetch_add(1, relaxed);
        }
    }
    void run(int /*thread*/) {
        make_noise();
        value.store(value.load(relaxed) + 1, relaxed);
        make_noise();
    }
    void finish() { require(value.load(relaxed) == 2, "nothing is lost"); }
};

/// One of two requirements fails, and the first far more often.
template <class P>
struct two_requirements {
    static constexpr auto threads = std::array{"first", "second", "third"};
    typename P::template atomic<int> a{0};
    typename P::template atomic<int> b{0};

    void run(int thread) {
        if (thread == 2) {
            b.store(1, relaxed);
            return;
        }
        a.store(a.load(relaxed) + 1, relaxed);
        if (thread == 0) require(b.load(relaxed) == 0, "nobody has come");
    }
    void finish() { require(a.load(relaxed) == 2, "nothing is lost"); }
};

std::uint64_t changes_of_thread(std::uint64_t difficulty) { return difficulty >> 40U; }

/// The first violated execution of a random walk, and what it is shrunk to.
struct before_and_after {
    graph::counterexample before;
    graph::counterexample after;
};

before_and_after shrunk(const scenario& what, std::uint64_t seed) {
    search_progress progress;
    graph::explorer explorer(what, {}, progress);
    graph::execution_runner& runner = explorer.runner();
    const auto sampler =
        graph::make_sampler({.mode = search_mode::random, .seed = seed}, graph::sampler::clock::time_point::max());
    for (;;) {
        graph::execution_graph made;
        sampler->begin();
        if (runner.run(made, *sampler) != graph::ending::violated) continue;
        const graph::violation seen = *runner.interpreter().run_end.found();
        const graph::counterexample found{made, seen.kind, seen.message, graph::difficulty(made)};
        return {found, graph::shrink(runner, found, sampler->made(), [] { return false; })};
    }
}

}  // namespace

TEST_CASE("Partial order sampling takes the side of a long thread as often as that of a short one", "[graph]") {
    const scenario what = make_scenario<far_ahead>("far ahead");
    CHECK(times(graph_search(what, sampling(search_mode::random, 300)), "last") == 0);
    CHECK(times(graph_search(what, sampling(search_mode::pos, 300)), "last") > 3);
}

TEST_CASE("Selectively uniform sampling places one operation evenly among many", "[graph]") {
    const scenario what = make_scenario<one_among_many>("one among many");
    CHECK(times(graph_search(what, sampling(search_mode::random, 300)), "late") == 0);
    CHECK(times(graph_search(what, sampling(search_mode::surw, 300)), "late") > 50);
}

TEST_CASE("A violation of a long random execution is shrunk to a few changes of thread", "[graph]") {
    const scenario what = make_scenario<late_lost_update>("late lost update");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const auto [before, after] = shrunk(what, seed);
        CAPTURE(seed, before.graph.size(), after.graph.size());
        CHECK(changes_of_thread(before.difficulty) > 30);
        CHECK(changes_of_thread(after.difficulty) <= 4);
        CHECK(after.kind == before.kind);
        CHECK(after.message == before.message);
    }
}

TEST_CASE("What is shrunk to is violated in the same way, and replayed so", "[graph]") {
    const scenario what = make_scenario<two_requirements>("two requirements");
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto [before, after] = shrunk(what, seed);
        CHECK(after.message == before.message);
        CHECK(after.difficulty <= before.difficulty);
    }
    search_options how = sampling(search_mode::pos, 1000);
    const search_result result = check_violated(what, violation_kind::failed_requirement, how);
    how.replay = result.replay;
    const search_result again = graph_search(what, how);
    CHECK(again.message == result.message);
}

TEST_CASE("Shrinking ends when the search is over", "[graph]") {
    const scenario what = make_scenario<late_lost_update>("late lost update");
    search_progress progress;
    graph::explorer explorer(what, {}, progress);
    const graph::counterexample found{{}, violation_kind::failed_requirement, "as it was", ~std::uint64_t{0}};
    const graph::counterexample same =
        graph::shrink(explorer.runner(), found, {.schedule = {{1, 1}}, .deviations = {}}, [] { return true; });
    CHECK(same.message == "as it was");
    CHECK(same.graph.size() == 0);
}

}  // namespace ordeal::model_tests
