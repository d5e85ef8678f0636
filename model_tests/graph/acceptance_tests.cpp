// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search makes of a violation that is accepted: it goes on behind it, loses no other execution by it, and names it.
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <array>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr auto graph = "graph";

search_options accepting(std::initializer_list<violation_kind> kinds) {
    search_options how = full_search();
    for (const violation_kind each : kinds) how.accept.push_back({each, "", 0});
    return how;
}

// The first thread fails unless it comes after the second, which the search finds by a revisit of the read before the failure.
template <class P, std::memory_order To, std::memory_order From>
struct early_or_late {
    static constexpr auto threads = std::array{"reader", "writer"};
    typename P::template atomic<int> flag{0};
    typename P::template cell<int> data{0};

    void run(int thread) {
        if (thread == 0) {
            if (flag.load(From) == 0) {
                require(false, "the reader came too early");
            } else {
                (void)data.read();
            }
        } else {
            data.write() = 1;
            flag.store(1, To);
        }
    }
};
template <class P>
using early_or_ordered = early_or_late<P, std::memory_order_release, std::memory_order_acquire>;
template <class P>
using early_or_racy = early_or_late<P, std::memory_order_relaxed, std::memory_order_relaxed>;

// A race, and behind it a requirement that fails in some executions.
template <class P>
struct race_and_more {
    static constexpr auto threads = std::array{"left", "right"};
    typename P::template cell<int> data{0};
    typename P::template atomic<int> flag{0};

    void run(int thread) {
        data.write() = thread;
        if (thread == 0) {
            flag.store(1, std::memory_order_relaxed);
        } else {
            require(flag.load(std::memory_order_relaxed) == 0, "the left one was there first");
        }
    }
};

// What each thread does after the race depends on what it read.
template <class P>
struct race_decides {
    static constexpr auto threads = std::array{"left", "right", "third"};
    typename P::template cell<int> data{0};
    typename P::template atomic<int> one{0};
    typename P::template atomic<int> two{0};

    void run(int thread) {
        if (thread == 0) {
            (void)one.load(std::memory_order_relaxed);
            if (data.read() == 1) {
                one.store(1, std::memory_order_relaxed);
            } else {
                (void)two.load(std::memory_order_relaxed);
            }
        } else if (thread == 1) {
            data.write() = 1;
            two.store(1, std::memory_order_relaxed);
        } else {
            two.store(2, std::memory_order_relaxed);
            one.store(2, std::memory_order_relaxed);
        }
    }
};

// Waits for ever unless it comes after the other.
template <class P>
struct lost_wake_up {
    static constexpr auto threads = std::array{"waiter", "other"};
    typename P::template atomic<int> come{0};
    typename P::template atomic<int> never{0};

    void run(int thread) {
        if (thread == 1) {
            come.store(1, std::memory_order_relaxed);
        } else if (come.load(std::memory_order_relaxed) == 0) {
            never.wait(0, std::memory_order_relaxed);
        }
    }
};

// Uses what was freed, where it sees that.
template <class P>
struct late_use {
    static constexpr auto threads = std::array{"user", "owner"};
    typename P::template atomic<int> freed{0};
    typename P::template atomic<int> seen{0};
    typename P::template cell<int>* data = new typename P::template cell<int>(0);

    void run(int thread) {
        if (thread == 0) {
            const bool late = freed.load(std::memory_order_acquire) == 1;
            if (late) (void)data->read();
            seen.store(1, std::memory_order_relaxed);
        } else {
            delete data;
            freed.store(1, std::memory_order_release);
            (void)seen.load(std::memory_order_relaxed);
        }
    }
};

// Which thread comes to the violation depends on which of them runs first.
template <class P>
struct unordered_free {
    static constexpr auto threads = std::array{"user", "owner"};
    typename P::template atomic<int> one{0};
    typename P::template atomic<int> two{0};
    typename P::template cell<int>* data = new typename P::template cell<int>(0);

    void run(int thread) {
        if (thread == 0) {
            (void)one.load(std::memory_order_relaxed);
            (void)data->read();
            two.store(1, std::memory_order_relaxed);
        } else {
            (void)two.load(std::memory_order_relaxed);
            delete data;
            one.store(1, std::memory_order_relaxed);
        }
    }
};

template <class P>
struct fails_at_the_end {
    static constexpr auto threads = std::array{"left", "right"};
    typename P::template atomic<int> count{0};

    void run(int) { count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    void finish() { require(count.load(std::memory_order_relaxed) == 2, "an increment was lost"); }
};

std::uint64_t times(const search_result& result, violation_kind kind) {
    std::uint64_t sum = 0;
    for (const accepted_violation& each : result.accepted) sum += each.kind == kind ? each.executions : 0;
    return sum;
}

}  // namespace

TEST_CASE("A failed requirement that is accepted ends its thread alone, so that no other execution is lost") {
    const scenario racy = make_scenario<early_or_racy>("early or racy");
    CHECK(search(racy, full_search(), graph).kind == violation_kind::failed_requirement);
    const search_options how = accepting({violation_kind::failed_requirement});
    CHECK(search(racy, how, graph).kind == violation_kind::data_race);

    const search_result ordered = search(make_scenario<early_or_ordered>("early or ordered"), how, graph);
    CAPTURE(ordered.message);
    CHECK(ordered.verdict == verdict::held_within);
    CHECK(ordered.complete);
    CHECK(ordered.executions == 1);
    CHECK(times(ordered, violation_kind::failed_requirement) == 1);
    REQUIRE(ordered.limits.size() == 1);
    CHECK(ordered.limits[0].id == "accepted");
    CHECK(ordered.limits[0].effect == limit_effect::hides);
    CHECK(ordered.limits[0].sentence.starts_with("failed requirement at model_tests/graph/acceptance_tests.cpp:"));
    CHECK(ordered.limits[0].sentence.ends_with(" was accepted, in 1 execution"));
}

TEST_CASE("Behind a data race that is accepted the access is made and the search goes on") {
    const scenario what = make_scenario<race_and_more>("race and more");
    CHECK(search(what, full_search(), graph).kind == violation_kind::data_race);
    const search_result behind = search(what, accepting({violation_kind::data_race}), graph);
    CHECK(behind.kind == violation_kind::failed_requirement);
    REQUIRE(behind.limits.size() == 1);  // a violation behind a race rests on it
    CHECK(behind.limits[0].effect == limit_effect::unseen);

    search_options again = accepting({violation_kind::data_race});
    again.replay = behind.replay;
    CHECK(search(what, again, graph).kind == violation_kind::failed_requirement);

    const search_result all =
        search(what, accepting({violation_kind::data_race, violation_kind::failed_requirement}), graph);
    CAPTURE(all.message);
    CHECK(all.verdict == verdict::held_within);
    CHECK(times(all, violation_kind::data_race) >= all.executions);
    CHECK(times(all, violation_kind::failed_requirement) == 1);
}

TEST_CASE("A race that is accepted where another file is meant is none") {
    search_options how = full_search();
    how.accept.push_back({violation_kind::data_race, "another.cpp", 0});
    CHECK(search(make_scenario<race_and_more>("race and more"), how, graph).kind == violation_kind::data_race);
}

TEST_CASE("What a race decides differently from run to run is no nondeterminism once the race is accepted") {
    const search_result result =
        search(make_scenario<race_decides>("race decides"), accepting({violation_kind::data_race}), graph);
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::held_within);
    CHECK(names_limit(result, "two runs of one graph differed after an accepted violation"));
}

TEST_CASE("A deadlock that is accepted ends its execution, and the others are searched") {
    const scenario what = make_scenario<lost_wake_up>("lost wake-up");
    CHECK(search(what, full_search(), graph).kind == violation_kind::deadlock);
    const search_result result = search(what, accepting({violation_kind::deadlock}), graph);
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::held_within);
    CHECK(result.executions == 2);
    CHECK(times(result, violation_kind::deadlock) == 1);
}

TEST_CASE("A use after free that is accepted ends its thread alone") {
    const scenario what = make_scenario<late_use>("late use");
    CHECK(search(what, full_search(), graph).kind == violation_kind::use_after_free);
    const search_result result = search(what, accepting({violation_kind::use_after_free}), graph);
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::held_within);
    CHECK(result.executions >= 1);
    CHECK(times(result, violation_kind::use_after_free) >= 1);
}

TEST_CASE("Which of two threads comes to an accepted violation first makes no nondeterminism") {
    const search_result result =
        search(make_scenario<unordered_free>("unordered free"),
               accepting({violation_kind::unsynchronised_destruction, violation_kind::use_after_free}), graph);
    CAPTURE(result.message);
    CHECK(result.verdict != verdict::violated);
    CHECK(times(result, violation_kind::unsynchronised_destruction) + times(result, violation_kind::use_after_free) >
          0);
}

TEST_CASE("A requirement of finish() that is accepted is counted in the executions that it fails in") {
    const scenario what = make_scenario<fails_at_the_end>("fails at the end");
    const search_result result = search(what, accepting({violation_kind::failed_requirement}), graph);
    CHECK(result.verdict == verdict::held_within);
    const std::uint64_t failed = times(result, violation_kind::failed_requirement);
    CHECK(failed > 0);
    CHECK(failed < result.executions);
}

TEST_CASE("Random executions end at an accepted violation, too") {
    search_options how = random_search(50, 7);
    how.accept.push_back({violation_kind::failed_requirement, "", 0});
    const search_result result = search(make_scenario<early_or_ordered>("early or ordered"), how, graph);
    CHECK(result.verdict == verdict::held_within);
    CHECK(times(result, violation_kind::failed_requirement) > 0);
}

TEST_CASE("What is accepted and not met is no limit") {
    const search_result result = search(make_scenario<lost_wake_up>("lost wake-up"),
                                        accepting({violation_kind::deadlock, violation_kind::data_race}), graph);
    REQUIRE(result.accepted.size() == 1);
    CHECK(result.accepted[0].kind == violation_kind::deadlock);
    CHECK(result.limits.size() == 1);
}

}  // namespace ordeal::model_tests
