// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches that show nothing: no two threads meet, or no execution comes to its end.
#include "model_tests/litmus/litmus.hpp"
#include "model_tests/support/blind.hpp"

#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

template <class P>
struct each_its_own {
    static constexpr auto threads = std::array{"left", "right"};
    std::array<typename P::template atomic<int>, 2> own{};

    void run(int thread) { own[static_cast<std::size_t>(thread)].store(1, std::memory_order_relaxed); }
    void finish() { require(own[0].load(std::memory_order_relaxed) + own[1].load(std::memory_order_relaxed) == 2); }
};

template <class P>
struct own_and_wrong : each_its_own<P> {
    void finish() { require(false); }
};

template <class P>
struct alone {
    static constexpr auto threads = std::array{"only"};
    typename P::template cell<int> data{0};

    void run(int) { data.write() = 1; }
};

template <class P>
struct only_reads {
    static constexpr auto threads = std::array{"left", "right"};
    typename P::template cell<int> data{1};
    std::array<int, 2> seen{};

    void run(int thread) { seen[static_cast<std::size_t>(thread)] = data.read(); }
};

template <class P>
struct only_a_lock {
    static constexpr auto threads = std::array{"left", "right"};
    typename P::mutex mutex;

    void run(int) {
        mutex.lock();
        mutex.unlock();
    }
};

// Each increment of the one that comes second has thousands of alternatives.
template <class P>
struct many_increments {
    static constexpr auto threads = std::array{"first", "second"};
    typename P::template atomic<int> count{0};

    void run(int) {
        for (int i = 0; i < 4'000; ++i) count.fetch_add(1, std::memory_order_relaxed);
    }
};

// Its process is asked to stop while its first execution runs.
template <class P>
struct asks_to_stop : many_increments<P> {
    void run(int thread) {
        if (thread == 1) detail::request_stop();
        many_increments<P>::run(thread);
    }
};

// Meets the other thread in some executions only.
template <class P>
struct meets_late {
    static constexpr auto threads = std::array{"left", "right", "bystander"};
    typename P::template atomic<int> flag{0};

    void run(int thread) {
        if (thread == 0) flag.store(1, std::memory_order_relaxed);
        if (thread == 1) (void)flag.load(std::memory_order_relaxed);
    }
};

template <class P>
struct spins_alone {
    static constexpr auto threads = std::array{"only"};
    typename P::template atomic<int> flag{0};

    void run(int) {
        while (flag.load(std::memory_order_acquire) == 0) {
        }
    }
};

template <class P>
struct counts_before_the_threads {
    static constexpr auto threads = std::array{"only"};
    typename P::template atomic<int> count{0};

    counts_before_the_threads() { (void)count.fetch_add(1, std::memory_order_relaxed); }
    void run(int) { require(false); }
};

const std::array engines{"graph", "relacy"};

bool holds(const search_result& result) {
    return result.verdict == verdict::held || result.verdict == verdict::held_within;
}

}  // namespace

TEST_CASE("A search in which no two threads accessed a common object does not hold") {
    for (const char* const engine : engines) {
        for (const scenario& what :
             {make_scenario<forgets_the_policy>("forgets the policy"), make_scenario<each_its_own>("each its own")}) {
            for (const search_options& how : {search_options{}, random_search(5, 1)}) {
                const search_result result = search(what, how, engine);
                CAPTURE(what.name, engine, result.message);
                CHECK(result.verdict == verdict::inconclusive);
                CHECK(result.message.starts_with("no two threads accessed a common object"));
            }
        }
        CHECK(search(make_scenario<own_and_wrong>("own and wrong"), {}, engine).verdict == verdict::violated);
    }
}

TEST_CASE("Threads that read one object, or take one lock, have met, and one thread alone need not meet any") {
    for (const char* const engine : engines) {
        for (const scenario& what : {make_scenario<only_reads>("only reads"), make_scenario<only_a_lock>("only a lock"),
                                     make_scenario<alone>("alone"), make_scenario<meets_late>("meets late")}) {
            const search_result result = search(what, {}, engine);
            CAPTURE(what.name, engine, result.message);
            CHECK(holds(result));
        }
    }
}

TEST_CASE("A search of one thread says so, and one of more does not") {
    for (const char* const engine : engines) {
        CAPTURE(engine);
        CHECK(words(search(make_scenario<alone>("alone"), {}, engine)).ends_with(", one thread"));
        CHECK(words(search(make_scenario<only_reads>("only reads"), {}, engine)).starts_with("held"));
        CHECK_FALSE(words(search(make_scenario<only_reads>("only reads"), {}, engine)).ends_with("thread"));
        CHECK(search(make_scenario<meets_late>("meets late"), {}, engine).threads == 3);
    }
}

TEST_CASE("A search whose time is over before any execution came to its end does not hold") {
    search_options how = full_search();
    how.resources.seconds = 1e-9;
    const search_result result = search(make_scenario<only_a_lock>("only a lock"), how, "graph");
    CHECK(result.executions == 0);
    CHECK_FALSE(result.complete);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message ==
          "no execution was followed to its end: one takes longer than the search did; make the loops of the trial "
          "shorter, or the time budget longer");
    CHECK(names_limit(result, "the search was ended after 0 executions"));
}

TEST_CASE("An execution that is longer than was asked for is no livelock") {
    search_options how = full_search();
    how.bounds.length = 50;
    const search_result result = search(make_scenario<many_increments>("many increments"), how, "graph");
    CHECK(result.executions == 0);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message.find("longer than --length allows") != std::string::npos);
    CHECK(has_limit(result, "length"));
}

TEST_CASE("A random search ends within its first execution, too") {
    for (const search_mode mode : {search_mode::random, search_mode::pct, search_mode::pos, search_mode::surw}) {
        search_options how;
        how.strategy = {.mode = mode, .bound = 100};
        const search_result stopped = search(make_scenario<asks_to_stop>("asks to stop"), how, "graph");
        CHECK(stopped.executions == 0);
        CHECK(stopped.stopped);
        CHECK(stopped.verdict == verdict::inconclusive);
        CHECK(has_limit(stopped, "cut-short"));
        how.resources.seconds = 1e-9;
        const search_result late = search(make_scenario<only_a_lock>("only a lock"), how, "graph");
        CHECK(late.executions == 0);
        CHECK(late.verdict == verdict::inconclusive);
    }
}

TEST_CASE("A search ends by itself when its time is over, in the middle of an operation too") {
    for (const unsigned jobs : {1U, 2U}) {
        search_options how = full_search();
        how.resources.seconds = 1;
        how.resources.jobs = jobs;
        scenario what = make_scenario<many_increments>("many increments");
        // What is put back goes through what leaves executions out, too.
        for (const std::vector<int>& interchangeable : {std::vector<int>{}, std::vector<int>{0, 1}}) {
            what.interchangeable = interchangeable;
            const search_result result = search(what, how, "graph");
            CAPTURE(jobs, interchangeable.size(), result.executions);
            CHECK(result.verdict == verdict::inconclusive);
            CHECK_THAT(result.message,
                       Catch::Matchers::StartsWith("no execution was followed to its end: one takes longer"));
            CHECK(has_limit(result, "cut-short"));
        }
    }
}

TEST_CASE("A livelock that only an unfair schedule of Relacy makes is named as such") {
    const search_result unfair = search(make_scenario<spins_without_yield>("spins without yield"), {}, "relacy");
    CHECK(unfair.kind == violation_kind::livelock);
    CHECK(names_limit(unfair, "a livelock may be a false alarm"));
    CHECK(search(make_scenario<spins_without_yield>("spins without yield"), {}, "graph").verdict == verdict::held);
    const search_result right = search(make_scenario<spins_alone>("spins alone"), {}, "relacy");
    CHECK(right.kind == violation_kind::livelock);
    CHECK(right.limits.empty());
}

TEST_CASE("A read-modify-write before the threads does not read itself") {
    for (const char* const engine : engines) {
        const search_result result =
            search(make_scenario<counts_before_the_threads>("counts before the threads"), {}, engine);
        CAPTURE(engine);
        const auto found = std::ranges::find(result.trace, "fetch_add", &trace_step::operation);
        REQUIRE(found != result.trace.end());
        REQUIRE(found->reads_from.has_value());
        CHECK(*found->reads_from < found->index);
    }
}

}  // namespace ordeal::model_tests
