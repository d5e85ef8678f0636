// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search with a bound of preemptions against the whole search, of which each execution's preemptions are counted.
// ORDEAL_SEED and ORDEAL_PROGRAMS in the environment choose other programs, and more of them.
#include "model_tests/graph/graph_search.hpp"
#include "model_tests/graph/random_seed.hpp"
#include "model_tests/graph/symmetric_program.hpp"

#include "ordeal/engine/graph/core/explorer/preemptions.hpp"
#include "ordeal/engine/graph/core/explorer/work_stack.hpp"
#include "ordeal/engine/graph/core/runner/execution_runner.hpp"
#include "ordeal/engine/graph/reductions/symmetry/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

using graph::ending;
using graph::execution_graph;

// Every complete execution, with the outcome that it had.
struct execution {
    execution_graph graph;
    std::string outcome;
};

constexpr std::size_t most_executions = 2'000;

// Nothing where there are more than this test has time for.
std::optional<std::vector<execution>> all_executions(const scenario& what) {
    graph::execution_runner runner(what, {.spurious = 0});
    graph::work_stack work;
    execution_graph graph;
    std::vector<execution> result;
    for (work.emit({}); !work.empty();) {
        work.take(graph);
        if (runner.run(graph, work) != ending::complete) continue;
        runner.outcomes().clear();
        runner.count_outcome();
        result.push_back({graph, runner.outcomes().empty() ? "" : runner.outcomes().begin()->first});
        if (result.size() > most_executions) return std::nullopt;
    }
    return result;
}

// By trying every order in which the events can come. A thread that cannot go on by itself is not preempted.
unsigned fewest_preemptions(const execution_graph& of, std::vector<bool>& done, int last) {
    const auto next_of = [&](int thread_id) {
        for (std::size_t id = 0; id < of.size(); ++id) {
            if (!done[id] && of[static_cast<graph::event_id>(id)].thread_id == thread_id) return id;
        }
        return of.size();
    };
    const auto enabled = [&](std::size_t id) {
        const graph::event& each = of[static_cast<graph::event_id>(id)];
        return !each.reads_event() || done[each.read().rf];
    };
    const std::size_t left = last == 0 ? of.size() : next_of(last);
    const auto may_block = [&](std::size_t id) {
        const graph::event& each = of[static_cast<graph::event_id>(id)];
        return each.is_read() && graph::may_block(each.read().form);
    };
    const bool could_go_on = left != of.size() && (enabled(left) || !may_block(left));
    constexpr unsigned none = 99;
    unsigned fewest = std::ranges::find(done, false) == done.end() ? 0 : none;
    for (int thread_id = 1; thread_id <= 4; ++thread_id) {
        const std::size_t next = next_of(thread_id);
        if (next == of.size() || !enabled(next)) continue;
        done[next] = true;
        const unsigned preempted = could_go_on && thread_id != last ? 1 : 0;
        fewest = std::min(fewest, preempted + fewest_preemptions(of, done, thread_id));
        done[next] = false;
    }
    return fewest;
}

search_options bounded(unsigned preemptions) {
    search_options how;
    how.strategy.mode = search_mode::preemptions;
    how.strategy.bound = preemptions;
    how.bounds.spurious = 0;
    return how;
}

// Goes through rising bounds until nothing is left out; each search has just what is within its bound.
void check_bounds(const scenario& what) {
    auto all = all_executions(what);
    if (!all) return;
    graph::symmetry symmetry(what.interchangeable);
    if (symmetry.any()) {
        std::erase_if(*all, [&](const execution& each) { return !symmetry.is_representative(each.graph); });
    }
    for (unsigned bound = 0;; ++bound) {
        std::uint64_t expected = 0;
        std::map<std::string, std::uint64_t> outcomes;
        for (const execution& each : *all) {
            if (!graph::within_preemptions(each.graph, bound)) continue;
            ++expected;
            if (!each.outcome.empty()) ++outcomes[each.outcome];
        }
        const search_result found = graph_search(what, bounded(bound));
        CAPTURE(bound, all->size(), found.limits, found.message);
        REQUIRE(found.complete);
        REQUIRE(found.executions == expected);
        REQUIRE(found.outcomes == outcomes);
        const bool whole = expected == all->size();
        if (!whole) {
            REQUIRE(found.verdict == verdict::held_within);
            REQUIRE(names_limit(found, fmt::format("every execution with at most {} preemptions", bound)));
        }
        if (whole) {
            CHECK(bound < 12);
            return;
        }
    }
}

template <class P>
struct comes_between {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    int seen = 0;

    void run(int thread) {
        const int before = x.fetch_add(1, relaxed);
        if (thread == 0) {
            (void)x.fetch_add(1, relaxed);
        } else {
            seen = before;
        }
    }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

template <class P>
struct alternating {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    std::string seen;

    void run(int) {
        for (int i = 0; i < 3; ++i) (void)x.fetch_add(1, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return "ended"; }
};

template <class P>
struct store_buffering_of_three {
    static constexpr auto threads = three_threads;
    std::array<typename P::template atomic<int>, 3> x{};
    std::array<int, 3> seen{};

    void run(int thread) {
        const auto me = static_cast<std::size_t>(thread);
        x[me].store(1, relaxed);
        seen[me] = x[(me + 1) % 3].load(relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(seen[0], seen[1], seen[2]); }
};

template <class P>
struct takes_a_mutex_twice {
    static constexpr auto threads = two_threads;
    typename P::mutex mutex;
    std::string order;

    void run(int thread) {
        for (int i = 0; i < 2; ++i) {
            mutex.lock();
            order += std::to_string(thread);
            mutex.unlock();
        }
    }
    [[nodiscard]] std::string outcome() const { return order; }
};

void check_random_programs(const symmetric::shape& of, bool with_symmetry = false) {
    const std::uint64_t first = rc11::first_seed();
    const std::uint64_t count = rc11::from_environment("ORDEAL_PROGRAMS", 40);
    REQUIRE(count > 0);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const symmetric::program what = symmetric::random_program(of, seed);
        INFO(fmt::format("ORDEAL_SEED={} ORDEAL_PROGRAMS=1 makes this program alone", seed));
        INFO(symmetric::to_string(what));
        scenario body = symmetric::as_scenario(what);
        if (!with_symmetry) body.interchangeable.clear();
        check_bounds(body);
    }
}

}  // namespace

TEST_CASE("The preemptions of an execution are the fewest of all orders in which its events can come") {
    for (const scenario& what :
         {make_scenario<comes_between>("comes between"), make_scenario<alternating>("alternating"),
          make_scenario<store_buffering_of_three>("store buffering"), make_scenario<takes_a_mutex_twice>("mutex")}) {
        const auto all = all_executions(what);
        REQUIRE(all.has_value());
        for (const execution& each : *all) {
            std::vector<bool> done(each.graph.size(), false);
            const unsigned fewest = fewest_preemptions(each.graph, done, 0);
            CAPTURE(what.name, fewest);
            REQUIRE(graph::within_preemptions(each.graph, fewest));
            REQUIRE((fewest == 0 || !graph::within_preemptions(each.graph, fewest - 1)));
        }
    }
}

TEST_CASE("A search with a bound of preemptions finds every execution within it") {
    check_bounds(make_scenario<comes_between>("comes between"));
    check_bounds(make_scenario<alternating>("alternating"));
    check_bounds(make_scenario<store_buffering_of_three>("store buffering of three"));
    check_bounds(make_scenario<takes_a_mutex_twice>("takes a mutex twice"));
}

TEST_CASE("A search with a bound of preemptions finds every execution within it: random programs") {
    check_random_programs({});
}

TEST_CASE("A search with a bound of preemptions finds every execution within it: random programs with a mutex") {
    check_random_programs({.modifications = false, .mutex = true});
}

TEST_CASE("A search with a bound of preemptions finds every class of executions of interchangeable threads within it") {
    check_random_programs({}, true);
}

TEST_CASE("What comes between two operations of a thread needs a preemption") {
    const scenario what = make_scenario<comes_between>("comes between");
    const auto outcomes = [&](unsigned bound) { return outcomes_of(graph_search(what, bounded(bound))); };
    CHECK(outcomes(0) == outcome_set{"0", "2"});
    CHECK(outcomes(1) == outcome_set{"0", "1", "2"});
}

TEST_CASE("A bound that leaves nothing out is no limit") {
    check_held(make_scenario<comes_between>("comes between"), {"0", "1", "2"}, bounded(9));
}

}  // namespace ordeal::model_tests
