// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search of threads that never meet shows nothing. The programs are in programs/meetings.cpp.
#include "model_tests/support/search.hpp"

#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view graph = "graph";

const scenario& program(std::string_view name) { return registered("meetings/" + std::string(name)); }

// The search in as many parts, each by itself, and what they add up to.
search_result search_in_shards(const scenario& what, unsigned shards) {
    search_options how = full_search();
    search_options all = full_search();
    how.shard.count = shards;
    for (how.shard.index = 1; how.shard.index <= shards; ++how.shard.index)
        all.shard.parts.push_back(search(what, how, graph).part);
    return search(what, all, graph);
}

search_options bounded_search() {
    search_options how;
    how.strategy.mode = search_mode::preemptions;
    how.strategy.bound = 0;
    return how;
}

search_options without_symmetry() {
    search_options how = full_search();
    how.reductions.symmetry = false;
    return how;
}

search_options with_two_processes() {
    search_options how = full_search();
    how.resources.jobs = 2;
    return how;
}

void check_shows_nothing(const search_result& result) {
    CHECK(to_string(result.verdict) == to_string(verdict::inconclusive));
    CHECK(result.message.starts_with(
        "no two threads accessed a common object while both ran, in any execution, so the search shows nothing"));
    CHECK(result.executions > 0);
    CHECK(result.threads > 1);
}

}  // namespace

TEST_CASE("A search of a program whose threads touch no object in common shows nothing") {
    for (const std::string_view name : {"each_its_own", "asked_and_joined"}) {
        for (const search_options& how : {search_options{}, full_search(), without_symmetry(), with_two_processes(),
                                          bounded_search(), random_search(5, 1)}) {
            CAPTURE(name, static_cast<int>(how.strategy.mode), how.resources.jobs);
            check_shows_nothing(search(program(name), how, graph));
        }
    }
}

TEST_CASE("What one thread passes to another by creating or joining it counts as no shared object") {
    for (const std::string_view name : {"asked_and_joined", "asked_and_joined_beside_own", "one_after_the_other"}) {
        CAPTURE(name);
        check_shows_nothing(search(program(name), full_search(), graph));
    }
}

TEST_CASE("That threads need no synchronisation, for each has its own plain data, is a result") {
    for (const std::string_view name : {"neighbours", "asked_of_a_jthread", "asked_of_a_future"}) {
        for (const search_options& how : {full_search(), without_symmetry(), with_two_processes()}) {
            const search_result result = search(program(name), how, graph);
            CAPTURE(name, result.message, how.resources.jobs);
            CHECK(words(result) == "held");
        }
    }
}

TEST_CASE("Threads that are at work one after the other, and do not synchronise, are held one at a time") {
    for (const std::string_view name : {"asked_plainly", "beside_an_empty_thread"}) {
        for (const search_options& how : {full_search(), without_symmetry(), random_search(5, 1)}) {
            const search_result result = search(program(name), how, graph);
            CAPTURE(name, result.message, static_cast<int>(how.strategy.mode));
            CHECK(result.threads > 1);
            CHECK(words(result).ends_with(", one thread at a time"));
        }
    }
}

TEST_CASE(
    "Threads meet in an atomic, a plain object that they only read, a lock, a condition variable or a semaphore") {
    for (const std::string_view name :
         {"by_an_atomic", "by_atomic_loads", "by_plain_reads", "by_plain_reads_of_siblings",
          "by_plain_reads_beside_locks", "by_a_lock", "by_a_notification", "by_a_semaphore"}) {
        for (const search_options& how : {full_search(), without_symmetry()}) {
            const search_result result = search(program(name), how, graph);
            CAPTURE(name, result.message);
            CHECK(to_string(result.verdict) == to_string(verdict::held));
            CHECK(result.threads > 1);
        }
    }
}

TEST_CASE("Threads that meet in one execution of many have met, in whichever part of the search that was") {
    const scenario& some = program("in_some_executions");
    CHECK(search(some, full_search(), graph).verdict == verdict::held);
    CHECK(search(some, with_two_processes(), graph).verdict == verdict::held);
    search_options never = full_search();
    never.bounds.spurious = 0;
    check_shows_nothing(search(some, never, graph));
    CHECK(search_in_shards(some, 2).verdict == verdict::held);
    CHECK(search_in_shards(program("by_plain_reads"), 3).verdict == verdict::held);
    check_shows_nothing(search_in_shards(program("each_its_own"), 2));
}

TEST_CASE("A program of one thread is held, and said to have one thread") {
    const search_result alone = search(program("has_one_thread"), full_search(), graph);
    CHECK(alone.threads == 1);
    CHECK(words(alone) == "held, one thread");
    CHECK(words(search(program("by_an_atomic"), full_search(), graph)) == "held");
}

TEST_CASE("Where something was not seen the threads may have met, and a violation is one whether they meet or not") {
    const search_result unseen = search(program("own_and_unseen"), full_search(), graph);
    CAPTURE(unseen.message);
    CHECK(to_string(unseen.verdict) == to_string(verdict::held_within));
    CHECK(search(program("own_and_wrong"), full_search(), graph).kind == violation_kind::failed_requirement);
}

}  // namespace ordeal::model_tests
