// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each engine's search against a count made without it: programs of read-modify-writes alone, where no value is stale,
// have exactly the outcomes of all interleavings.
#include "model_tests/litmus/litmus.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <map>

namespace ordeal::model_tests {

using namespace detail;

namespace {

// Thread 0 does x = 3x + 1 `First` times, thread 1 x = 2x + 1 `Second` times, by a compare-exchange from the value
// that was loaded, or nothing when that has changed since: the last value tells interleavings apart.
constexpr std::uint32_t stepped(std::uint32_t value, int thread) { return value * (thread == 0 ? 3u : 2u) + 1u; }

template <int First, int Second>
struct steps {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<std::uint32_t> x{1};
        std::uint32_t last = 0;

        void run(int thread) {
            for (int i = 0; i < (thread == 0 ? First : Second); ++i) {
                std::uint32_t seen = x.fetch_add(0, relaxed);
                x.compare_exchange_strong(seen, stepped(seen, thread), relaxed, relaxed);
            }
        }
        void finish() { last = x.load(relaxed); }
        [[nodiscard]] std::string outcome() const { return std::to_string(last); }
    };
};

// The same by brute force: each thread is a counter of operations made and the value it loaded.
struct machine {
    std::array<int, 2> made{};
    std::array<std::uint32_t, 2> seen{};
    std::uint32_t x = 1;
};

void enumerate(const std::array<int, 2>& limits, const machine& now, outcome_set& outcomes) {
    bool ended = true;
    for (const int thread : {0, 1}) {
        const auto t = static_cast<std::size_t>(thread);
        if (now.made[t] == 2 * limits[t]) continue;
        ended = false;
        machine next = now;
        if (next.made[t]++ % 2 == 0) {
            next.seen[t] = next.x;
        } else if (next.x == next.seen[t]) {
            next.x = stepped(next.x, thread);
        }
        enumerate(limits, next, outcomes);
    }
    if (ended) outcomes.insert(std::to_string(now.x));
}

constexpr auto both_engines = {"relacy", "graph"};

template <int First, int Second>
void check_outcomes() {
    for (const char* engine : both_engines) {
        const search_result result =
            search(make_scenario<steps<First, Second>::template test>("steps"), full_search(), engine);
        outcome_set expected;
        enumerate({First, Second}, {}, expected);
        CAPTURE(engine, First, Second, result.executions);
        REQUIRE(result.complete);
        outcome_set found;
        for (const auto& [outcome, count] : result.outcomes) found.insert(outcome);
        CHECK(found == expected);
    }
}

// `first` tells which thread came first: it is the same for half of the executions when the threads are alike.
template <int Count, bool InConstructor>
struct increments {
    template <class P>
    struct test {
        static constexpr auto threads = two_threads;
        typename P::template atomic<int> x{0};
        int first = -1;

        test() {
            if (InConstructor) x.fetch_sub(x.fetch_add(1, relaxed) + 1, relaxed);
        }
        void run(int thread) {
            for (int i = 0; i < Count; ++i) {
                if (x.fetch_add(1, relaxed) == 0) first = thread;
            }
        }
        [[nodiscard]] std::string outcome() const { return values(first); }
    };
};

std::uint64_t interleavings(int left, int right) {
    if (left == 0 || right == 0) return 1;
    return interleavings(left - 1, right) + interleavings(left, right - 1);
}

template <int Count, bool InConstructor>
void check_count() {
    for (const char* engine : both_engines) {
        const search_result result =
            search(make_scenario<increments<Count, InConstructor>::template test>("increments"), full_search(), engine);
        CAPTURE(engine, Count, InConstructor);
        CHECK(result.executions == interleavings(Count, Count));
        CHECK(result.outcomes ==
              std::map<std::string, std::uint64_t>{{"0", result.executions / 2}, {"1", result.executions / 2}});
    }
}

}  // namespace

TEST_CASE("The outcomes found are those of all interleavings, counted independently") {
    check_outcomes<1, 1>();
    check_outcomes<2, 1>();
    check_outcomes<1, 2>();
    check_outcomes<2, 2>();
    check_outcomes<3, 2>();
}

TEST_CASE("Each interleaving of two threads is executed once") {
    check_count<1, false>();
    check_count<2, false>();
    check_count<3, false>();
    check_count<4, false>();
}

TEST_CASE("Operations of the constructor take no choice away from the threads") {
    check_count<1, true>();
    check_count<2, true>();
    check_count<3, true>();
}

}  // namespace ordeal::model_tests
