// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code without a policy that has as many threads as an execution can have. That it holds, or is found to be wrong, program_tests.cpp
// shows of it as of all programs.
#include "model_tests/support/search.hpp"

#include "ordeal/report/check_report.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view graph = "graph";

// The highest thread that a step is of, counted from 0.
int last_thread_of(const search_result& result) {
    int last = -1;
    for (const trace_step& step : result.trace) last = std::max(last, step.thread);
    return last;
}

}  // namespace

TEST_CASE("Created threads with the highest numbers have the executions of those with the lowest") {
    for (const std::string name : {"message_passing", "condition", "atomic_wait", "memory", "race"}) {
        for (const bool symmetry : {true, false}) {
            search_options how = full_search();
            how.reductions.symmetry = symmetry;
            const search_result first = search(registered("first_threads/" + name), how, graph);
            const search_result last = search(registered("last_threads/" + name), how, graph);
            CAPTURE(name, symmetry, first.message, last.message, first.executions);
            CHECK(first.verdict == (name == "race" ? verdict::violated : verdict::held));
            CHECK(last.verdict == first.verdict);
            CHECK(last.kind == first.kind);
            CHECK(last.executions == first.executions);
            CHECK(last.blocked == first.blocked);
            CHECK(last.outcomes == first.outcomes);
            if (name != "race") CHECK(first.executions > 1);
        }
    }
}

TEST_CASE("The last threads that there may be are found to be interchangeable") {
    const search_result result = search(registered("programs/threads_71_some_equal"), full_search(), graph);
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions == 1);
}

TEST_CASE("A violation that needs the last thread that there may be is found, and shown again by its token") {
    const scenario& what = registered("programs/threads_71_unordered");
    for (const unsigned jobs : {1U, 2U}) {
        search_options how;
        how.resources.jobs = jobs;
        const search_result found = search(what, how, graph);
        CAPTURE(found.message);
        CHECK(found.kind == violation_kind::data_race);
        CHECK(last_thread_of(found) == static_cast<int>(most_threads) - 1);
        REQUIRE(found.replay.has_value());
        search_options again;
        again.replay = found.replay;
        const search_result shown = search(what, again, graph);
        CHECK(shown.kind == violation_kind::data_race);
        CHECK(shown.message == found.message);
        CHECK(last_thread_of(shown) == static_cast<int>(most_threads) - 1);
    }
}

TEST_CASE("More threads than there may be are refused by name and place") {
    const search_result result = search(registered("too_many/threads_72"), full_search(), graph);
    CAPTURE(result.message);
    CHECK(result.verdict == verdict::inconclusive);
    CHECK(result.message.starts_with("more than 71 threads at once (model_tests/plain/programs/many_threads.cpp:"));
}

}  // namespace ordeal::model_tests
