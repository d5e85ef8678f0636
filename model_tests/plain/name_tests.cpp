// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a trace calls the things that its steps are about.
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace ordeal::model_tests {

using namespace detail;

namespace {

search_result violated_by(const std::string& name, const char* engine = "graph") {
    search_result result = search(registered(name), full_search(), engine);
    REQUIRE(result.verdict == verdict::violated);
    return result;
}

// For who reads that a test has failed.
std::string all_names(const search_result& result) {
    std::string text = result.message;
    for (const trace_step& each : result.trace) {
        text += "\n  " + each.operation + " " + each.object + ": " + each.name + ", " + each.type + ", " +
                each.before_name + ", " + each.after_name;
    }
    return text;
}

const trace_step* step_about(const search_result& result, const std::string& name) {
    const auto found = std::ranges::find(result.trace, name, &trace_step::name);
    return found == result.trace.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("A member of the scenario is called by its path, and its values by their enumerators", "[names]") {
    const search_result result = violated_by("named/member");
    INFO(all_names(result));
    CHECK(result.message.starts_with("boxes[1].content is written while"));
    const trace_step* const stored = step_about(result, "boxes[1].phase_");
    REQUIRE(stored != nullptr);
    CHECK(stored->type.starts_with("std::atomic<"));
    CHECK(std::ranges::count(result.trace, "filled", &trace_step::after_name) == 1);
    const trace_step* const written = step_about(result, "boxes[1].content");
    REQUIRE(written != nullptr);
    CHECK(written->type == "int");
}

TEST_CASE("A local variable of a program's function is called as in the source", "[names]") {
    const search_result result = violated_by("named/local");
    INFO(all_names(result));
    CHECK(result.message.starts_with("box.content is written while"));
    CHECK(step_about(result, "box.phase_") != nullptr);
}

TEST_CASE("A local variable of another thread is called as in the source, with its thread", "[names]") {
    const search_result result = violated_by("named/local_of_a_thread");
    INFO(all_names(result));
    CHECK(result.message.starts_with("local \"done\" of owner is written while"));
    CHECK(std::ranges::count(result.trace, "&local \"done\" of owner", &trace_step::after_name) == 1);
    CHECK(std::ranges::count(result.trace, "&local \"done\" of owner", &trace_step::before_name) >= 1);
}

TEST_CASE("A global variable is called as in the source", "[names]") {
    const search_result result = violated_by("named/global");
    INFO(all_names(result));
    const trace_step* const counted = step_about(result, "ordeal::model_tests::hits");
    REQUIRE(counted != nullptr);
    CHECK(counted->type == "int");
}

TEST_CASE("A global variable whose name could be a mangled type is called as in the source", "[names]") {
    const search_result result = violated_by("named/types");
    INFO(all_names(result));
    CHECK(result.message.starts_with("d is written while"));
    REQUIRE(step_about(result, "x") != nullptr);
    CHECK(step_about(result, "d") != nullptr);
}

TEST_CASE("Blocks of the heap are called by their type, several of one by numbers", "[names]") {
    const search_result result = violated_by("named/nodes");
    INFO(all_names(result));
    CHECK(step_about(result, "node#1.next_") != nullptr);
    CHECK(step_about(result, "node#2.value_") != nullptr);
    CHECK(std::ranges::count(result.trace, "&node#1", &trace_step::after_name) == 1);
    CHECK(result.message.find("(allocated at model_tests/plain/named/things.cpp:") != std::string::npos);
}

TEST_CASE("An awaiter in the frame of a coroutine is called by its type", "[names]") {
    const search_result result = violated_by("named/awaiter");
    INFO(all_names(result));
    CHECK(result.message.starts_with("awaiter_in_a_frame::awaiter.result_ (in the frame of consume()) is written"));
    CHECK(step_about(result, "waiting_") != nullptr);
}

TEST_CASE("An object of a policy is called by its path, whichever engine searches", "[names]") {
    for (const char* const engine : {"graph", "relacy"}) {
        INFO(engine);
        const search_result result = violated_by("exhibit/relaxed_flag/payload_when_ready", engine);
        INFO(all_names(result));
        CHECK(result.message.starts_with("payload is read while its last write"));
        const trace_step* const flag = step_about(result, "event.flag_.value_");
        REQUIRE(flag != nullptr);
        CHECK(flag->object == "atomic 1");
        CHECK(flag->type == "ordeal::model_policy::atomic<bool>");
        CHECK(std::ranges::count(result.trace, "true", &trace_step::after_name) == 1);
    }
}

TEST_CASE("What a policy's objects point to is called by its path, too", "[names]") {
    const search_result result = violated_by("exhibit/bug_relaxed_push_failure/payload");
    INFO(all_names(result));
    CHECK(std::ranges::count(result.trace, "&event", &trace_step::after_name) == 1);
    CHECK(step_about(result, "queued_waiter<...>.next") != nullptr);
    CHECK(step_about(result, "frame of consume()") != nullptr);
}

TEST_CASE("What is in the promise of a coroutine is called so", "[names]") {
    const search_result result = violated_by("exhibit/promise_as_printed/complete_against_abandon");
    INFO(all_names(result));
    CHECK(std::ranges::any_of(result.trace, [](const trace_step& each) {
        return each.name.starts_with("produce()'s promise.") && each.name.ends_with("state_");
    }));
}

}  // namespace ordeal::model_tests
