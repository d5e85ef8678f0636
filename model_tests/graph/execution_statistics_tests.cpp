// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search keeps of its executions: an example for each outcome, which ends with it when it is run again, and the states
// of atomics, in exact numbers. However the search is shared out, it is the same; and what is not asked for is not there.
#include "model_tests/graph/search_parts.hpp"

#include "ordeal/engine/graph/core/explorer/difficulty.hpp"
#include "ordeal/engine/graph/core/explorer/graph_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Two threads, one change each, and a reader.
template <class P>
struct two_changes {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> state{0};
    int seen = 0;

    void run(int thread) {
        if (thread == 0) state.exchange(1, relaxed);
        if (thread == 1) state.store(2, relaxed);
        if (thread == 2) seen = state.load(relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(seen); }
};

template <class P>
struct addresses {
    static constexpr std::array threads{"only"};
    typename P::template atomic<void*> state{nullptr};
    std::array<long, 2> elsewhere{};

    void run(int) {
        state.store(&elsewhere[0], relaxed);
        state.store(&elsewhere[1], relaxed);
        state.store(&state, relaxed);
        state.store(reinterpret_cast<void*>(std::uintptr_t{3}), relaxed);
    }
};

template <class P>
struct many_values {
    static constexpr std::array threads{"only"};
    typename P::template atomic<int> counter{0};

    void run(int) {
        for (int i = 0; i < 12; ++i) counter.fetch_add(1, relaxed);
    }
};

template <class P>
struct many_outcomes {
    static constexpr auto threads = two_threads;
    typename P::template atomic<int> x{0};
    std::array<int, 300> seen{};
    int number = 0;

    void run(int thread) {
        if (thread == 0) {
            for (int i = 1; i < 300; ++i) x.store(i, relaxed);
        } else {
            number = x.load(relaxed);
        }
    }
    [[nodiscard]] std::string outcome() const { return std::to_string(1000 + number); }
};

// More executions than one process searches alone.
template <class P>
struct increments {
    static constexpr auto threads = three_threads;
    typename P::template atomic<int> x{0};
    int first = -1;

    void run(int thread) {
        for (int i = 0; i < 4; ++i) {
            const int seen = x.fetch_add(1, relaxed) % 11;
            if (thread == 0 && first < 0) first = seen;
        }
        if (thread == 1) x.exchange(0, relaxed);
    }
    [[nodiscard]] std::string outcome() const { return values(first); }
};

search_options keeping() {
    search_options how = full_search();
    how.wanted.examples = how.wanted.atomic_states = true;
    return how;
}

std::uint64_t times_of(const atomic_states& word, const std::string& from, const std::string& to) {
    std::uint64_t result = 0;
    for (const state_transition& each : word.transitions) result += each.from == from && each.to == to ? each.times : 0;
    return result;
}

// With the same choices, as `replay` has them.
std::string outcome_again(const scenario& what, const std::string& path) {
    graph::execution_runner runs(what, {.spurious = 2, .reuse = 2});
    auto graph = graph::parse_graph(path);
    REQUIRE(graph.has_value());
    graph::replay_strategy again;
    REQUIRE(runs.run(*graph, again) == graph::ending::complete);
    runs.count_outcome();
    return runs.outcomes().empty() ? "" : runs.outcomes().begin()->first;
}

bool same(const atomic_states& one, const atomic_states& other) {
    const auto same_states = [](const auto& a, const auto& b) {
        return a.first == b.first && a.second.times == b.second.times &&
               a.second.observers.size() == b.second.observers.size();
    };
    return one.id == other.id && one.executions == other.executions && one.paths == other.paths &&
           one.too_many == other.too_many && std::ranges::equal(one.states, other.states, same_states) &&
           one.transitions.size() == other.transitions.size() &&
           std::ranges::all_of(one.transitions, [&](const state_transition& each) {
               return times_of(one, each.from, each.to) == times_of(other, each.from, each.to);
           });
}

}  // namespace

TEST_CASE("Each outcome has an example that ends with it, and its executions are counted") {
    for (const char* name :
         {"event/set_against_two_waiters", "task/complete_against_await", "shared_event/set_against_one_waiter"}) {
        CAPTURE(name);
        const scenario& what = registered(name);
        search_options all = full_search();
        all.reductions.retries = all.reductions.blocked = false;  // as where words are kept
        const search_result plain = graph_search(what, all);
        const search_result kept = search(what, keeping(), "graph");
        CHECK(plain.examples.empty());
        CHECK(plain.atomics.empty());
        CHECK(kept.executions == plain.executions);
        CHECK(kept.outcomes == plain.outcomes);
        std::uint64_t executions = 0;
        for (const auto& [outcome, example] : kept.examples) {
            CAPTURE(outcome, example.path);
            executions += example.executions;
            if (!outcome.empty()) CHECK(kept.outcomes.at(outcome) == example.executions);
            CHECK(outcome_again(what, example.path) == outcome);
        }
        CHECK(executions == kept.executions);
    }
}

TEST_CASE("A scenario without outcomes has an example, too") {
    const search_result kept = search(make_scenario<addresses>("addresses"), keeping(), "graph");
    REQUIRE(kept.examples.size() == 1);
    CHECK(kept.examples.at("").executions == 1);
}

TEST_CASE("Of many outcomes, the first in the order of their text have examples") {
    const search_result kept = search(make_scenario<many_outcomes>("many"), keeping(), "graph");
    CHECK(kept.outcomes.size() == 300);
    REQUIRE(kept.examples.size() == most_outcome_examples);
    CHECK(kept.examples.begin()->first == "1000");
    CHECK(kept.examples.rbegin()->first == std::to_string(1000 + most_outcome_examples - 1));
}

TEST_CASE("States of an atomic are counted exactly") {
    const search_result kept = search(make_scenario<two_changes>("two changes"), keeping(), "graph");
    REQUIRE(kept.atomics.size() == 1);
    const atomic_states& word = kept.atomics.front();
    // Two orders of the writes, three values for the reader.
    CHECK(kept.executions == 6);
    CHECK(word.executions == 6);
    CHECK(word.paths == std::map<std::string, std::uint64_t>{{"0, 1, 2", 3}, {"0, 2, 1", 3}});
    for (const char* state : {"0", "1", "2"}) {
        CAPTURE(state);
        CHECK(word.states.at(state).times == 6);
        REQUIRE(word.states.at(state).observers.size() == 1);
        CHECK(word.states.at(state).observers.front().operation == "load");
    }
    CHECK(times_of(word, "0", "1") == 3);
    CHECK(times_of(word, "0", "2") == 3);
    CHECK(times_of(word, "1", "2") == 3);
    CHECK(times_of(word, "2", "1") == 3);
    CHECK(word.transitions.size() == 4);
}

TEST_CASE("A state is named by the value alone") {
    const search_result kept = search(make_scenario<addresses>("addresses"), keeping(), "graph");
    REQUIRE(kept.atomics.size() == 1);
    REQUIRE(kept.atomics.front().paths.size() == 1);
    CHECK(kept.atomics.front().paths.begin()->first == "0, pointer, pointer 2, this, 3");
}

TEST_CASE("An atomic with many values has no states") {
    const search_result kept = search(make_scenario<many_values>("many values"), keeping(), "graph");
    REQUIRE(kept.atomics.size() == 1);
    CHECK(kept.atomics.front().too_many);
    CHECK(kept.atomics.front().states.empty());
    CHECK(kept.atomics.front().executions == 1);
}

TEST_CASE("Parts of a search keep together what the whole one keeps") {
    for (const char* name : {"event/set_against_three_waiters", "task/poll_then_await"}) {
        CAPTURE(name);
        const scenario& what = registered(name);
        const search_options how = keeping();
        const search_result whole = search(what, how, "graph");
        const graph::tally total = counted_in_parts(what, how, 7);
        CHECK(total.executions == whole.executions);
        CHECK(total.examples == whole.examples);
        CHECK(std::ranges::equal(total.words, whole.atomics, same));
    }
}

TEST_CASE("Processes that share a search keep together what one keeps") {
    const scenario what = make_scenario<increments>("increments");
    search_options how = keeping();
    const search_result alone = search(what, how, "graph");
    how.resources.jobs = 3;
    const search_result shared = search(what, how, "graph");
    REQUIRE(alone.executions > 40'000);
    CHECK(shared.executions == alone.executions);
    CHECK(alone.examples.size() > 1);
    CHECK(shared.examples == alone.examples);
    CHECK(std::ranges::equal(shared.atomics, alone.atomics, same));
}

}  // namespace ordeal::model_tests
