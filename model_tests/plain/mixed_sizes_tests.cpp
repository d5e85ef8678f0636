// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches of atomics that are accessed in parts. The programs are in programs/mixed_sizes.cpp, and those that are wrong
// are found in program_tests.cpp.
#include "model_tests/support/search.hpp"

#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view graph = "graph";
constexpr std::string_view folder = "programs/mixed_sizes/";

const scenario& program(std::string_view name) { return registered(std::string(folder) + std::string(name)); }

search_result search_under(memory_model model, std::string_view name) {
    search_options how = full_search();
    how.model = model;
    return search(program(name), how, graph);
}

search_options with_two_processes() {
    search_options how = full_search();
    how.resources.jobs = 2;
    return how;
}

std::vector<const scenario*> programs(bool right) {
    std::vector<const scenario*> result;
    for (const scenario& each : scenarios()) {
        if (each.name.starts_with(folder) && each.expected.violation.has_value() != right) result.push_back(&each);
    }
    return result;
}

}  // namespace

TEST_CASE("What holds where atomics are accessed in parts is held within, by a limit that says where") {
    const auto chosen = programs(true);
    REQUIRE(chosen.size() > 10);
    for (const scenario* each : chosen) {
        const search_result result = search(*each, full_search(), graph);
        CAPTURE(each->name, result.message);
        CHECK(result.verdict == verdict::held_within);
        const auto found = std::ranges::find(result.limits, "mixed-sizes", &limit::id);
        REQUIRE(found != result.limits.end());
        CAPTURE(found->sentence);
        CHECK(found->effect == limit_effect::hides);
        CHECK(found->sentence.find("programs/mixed_sizes.cpp:") != std::string::npos);
        CHECK(found->parameters.contains("where"));
    }
}

TEST_CASE("Stores to parts wait in buffers under TSO and C++20, and not under sequential consistency") {
    for (const std::string_view name : {"buffers_of_two_objects", "buffers_release_acquire"}) {
        CAPTURE(name);
        CHECK(search_under(memory_model::cpp20, name).kind == violation_kind::failed_requirement);
        CHECK(search_under(memory_model::rc11, name).kind == violation_kind::failed_requirement);
        CHECK(search_under(memory_model::sc, name).verdict == verdict::held_within);
    }
    for (const std::string_view name : {"buffers_of_two_objects", "buffers_release_acquire"})
        CHECK(search_under(memory_model::tso, name).kind == violation_kind::failed_requirement);
}

TEST_CASE("x86-64 and sequential consistency keep the order of stores to two halves, and of loads of them") {
    for (const memory_model model : {memory_model::tso, memory_model::sc}) {
        CHECK(search_under(model, "message_relaxed").verdict == verdict::held_within);
        CHECK(search_under(model, "between_two_halves").outcomes.contains("1 0"));
    }
}

TEST_CASE("The token of a violation of atomics that are accessed in parts replays it") {
    const auto chosen = programs(false);
    REQUIRE(chosen.size() > 5);
    for (const scenario* each : chosen) {
        const search_result found = search(*each, full_search(), graph);
        CAPTURE(each->name, found.message);
        REQUIRE(found.replay.has_value());
        search_options again = full_search();
        again.replay = found.replay;
        const search_result replayed = search(*each, again, graph);
        CAPTURE(replayed.message);
        CHECK(replayed.kind == each->expected.violation);
        CHECK(replayed.message == found.message);
        CHECK(replayed.trace.size() == found.trace.size());
    }
}

TEST_CASE("Random executions learn of atomics that are accessed in parts, and find what is wrong with them") {
    for (const search_mode mode : {search_mode::random, search_mode::pos}) {
        search_options how = random_search(1'000, 7);
        how.strategy.mode = mode;
        const search_result result = search(program("message_relaxed"), how, graph);
        CAPTURE(result.message);
        CHECK(result.kind == violation_kind::failed_requirement);
    }
}

TEST_CASE("Two processes come to what one comes to where atomics are accessed in parts") {
    const search_result alone = search(program("all_stores_and_loads"), full_search(), graph);
    const search_result together = search(program("all_stores_and_loads"), with_two_processes(), graph);
    CHECK(alone.executions > 1'000);
    CHECK(alone.verdict == verdict::held_within);
    CHECK(together.verdict == verdict::held_within);
    CHECK(together.complete);
    CHECK(together.executions == alone.executions);
    CHECK(together.outcomes == alone.outcomes);
    CHECK(search(program("message_relaxed"), with_two_processes(), graph).kind == violation_kind::failed_requirement);
}

TEST_CASE("A part of a search does not learn of atomics that are accessed in parts, and says so") {
    search_options how = full_search();
    how.shard.count = 2;
    for (how.shard.index = 1; how.shard.index <= how.shard.count; ++how.shard.index) {
        const search_result result = search(program("message"), how, graph);
        CAPTURE(how.shard.index, result.message);
        CHECK(result.verdict == verdict::inconclusive);
        CHECK(result.message.starts_with("atomic operations of different sizes on the same bytes, or on a lock ("));
        CHECK(result.message.find("programs/mixed_sizes.cpp:") != std::string::npos);
    }
}

}  // namespace ordeal::model_tests
