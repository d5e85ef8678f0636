// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/search_json.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace ordeal;
using namespace ordeal::detail;

namespace {

site example_site() {
    return {{"src/a.hpp", 12, 7, role::success}, true, "push", "compare_exchange_weak", order::release};
}

search_result example() {
    search_result result;
    result.verdict = verdict::violated;
    result.kind = violation_kind::unsynchronised_destruction;
    result.message = "a \"quoted\"\nmessage";
    result.limits = {"one", {"assembler", "two", limit_effect::unseen, {{"where", "a.cpp:7"}}}};
    result.executions = std::numeric_limits<std::uint64_t>::max();
    result.blocked = 3;
    result.complete = true;
    result.stopped = true;
    result.seconds = 0.1;
    result.outcomes = {{"42", 2}, {"", 1}};
    result.examples = {{"42", {2, 17, "ar0"}}, {"", {1, 3, ""}}};
    atomic_states word;
    word.id = std::uint64_t{1} << 63;
    word.name = "atomic 2";
    word.executions = 9;
    word.states["this"] = {4, {example_site()}};
    word.transitions = {{"0", "this", example_site(), 4}};
    word.paths = {{"0, this", 4}};
    word.too_many = true;
    result.atomics = {word};
    result.faults_injected = 7;
    result.faults_survived = 6;
    result.sites = {{example_site(), true, {example_site()}}, {example_site(), false}};
    result.models = models_of_violation{memory_model::tso, true};
    result.portfolio_results = {
        {.mode = search_mode::pct, .depth = 3, .seed = 7, .executions = 40'000, .different = 12},
        {.mode = search_mode::preemptions, .bound = 2, .executions = 9, .complete = true}};
    result.seen = {.graphs = 11, .pairs = 5, .newest_pair_after = 8, .more_pairs = 1};
    result.simpler_may_exist = true;
    result.replay = choices{"1.0.2"};
    trace_step step;
    step.index = 17;
    step.thread = 1;
    step.operation = "compare_exchange_weak";
    step.where = example_site();
    step.object = "atomic 2";
    step.name = "event.state_";
    step.type = "std::atomic<void *>";
    step.address = 0x1000;
    step.size = 8;
    step.access = step_access::write;
    step.before_name = "&waiter#2";
    step.after_name = "completed";
    step.coherence = 3;
    step.using_order = order::acq_rel;
    step.overridden = true;
    step.before = 0xfedcba9876543210;
    step.second_before = 0xfedcba9876543211;
    step.reads_from = 4;
    step.stale = true;
    step.clock = {1, 0, 9};
    step.note = "fails";
    result.trace = {trace_step{}, step};
    return result;
}

bool same(const site& a, const site& b) {
    return a.key == b.key && a.atomic == b.atomic && a.function == b.function && a.operation == b.operation &&
           a.declared == b.declared;
}

}  // namespace

TEST_CASE("a search result comes back as it went") {
    const search_result sent = example();
    const auto received = deserialise(serialise(sent));
    REQUIRE(received);
    CHECK(received->verdict == sent.verdict);
    CHECK(received->kind == sent.kind);
    CHECK(received->message == sent.message);
    CHECK(received->faults_injected == sent.faults_injected);
    CHECK(received->faults_survived == sent.faults_survived);
    CHECK(received->limits == sent.limits);
    CHECK(received->executions == sent.executions);
    CHECK(received->blocked == sent.blocked);
    CHECK(received->complete == sent.complete);
    CHECK(received->stopped == sent.stopped);
    CHECK(received->seconds == sent.seconds);
    CHECK(received->outcomes == sent.outcomes);
    CHECK(received->models == sent.models);
    CHECK(received->simpler_may_exist);
    CHECK(received->replay == sent.replay);
    REQUIRE(received->sites.size() == 2);
    CHECK(received->sites[0].crossed);
    CHECK_FALSE(received->sites[1].crossed);
    REQUIRE(received->sites[0].writers.size() == 1);
    CHECK(same(received->sites[0].writers[0], example_site()));
    CHECK(received->sites[1].writers.empty());
    CHECK(same(received->sites[0].where, sent.sites[0].where));
    CHECK(serialise(*received) == serialise(sent));
}

TEST_CASE("the results of a portfolio come back as they were") {
    const search_result sent = example();
    const auto received = deserialise(serialise(sent));
    REQUIRE(received);
    CHECK(received->seen == sent.seen);
    REQUIRE(received->portfolio_results.size() == sent.portfolio_results.size());
    CHECK(received->portfolio_results[0].mode == search_mode::pct);
    CHECK(received->portfolio_results[0].depth == 3);
    CHECK(received->portfolio_results[0].seed == 7);
    CHECK(received->portfolio_results[0].executions == 40'000);
    CHECK(received->portfolio_results[0].different == 12);
    CHECK(received->portfolio_results[1].bound == 2);
    CHECK(received->portfolio_results[1].complete);
}

TEST_CASE("the steps of a trace come back as they went") {
    const search_result sent = example();
    const auto received = deserialise(serialise(sent));
    REQUIRE(received);
    REQUIRE(received->trace.size() == 2);
    const trace_step& step = received->trace[1];
    CHECK(step.index == 17);
    CHECK(step.thread == 1);
    CHECK(step.operation == "compare_exchange_weak");
    CHECK(same(step.where, example_site()));
    CHECK(step.object == "atomic 2");
    CHECK(step.name == "event.state_");
    CHECK(step.type == "std::atomic<void *>");
    CHECK(step.address == 0x1000);
    CHECK(step.size == 8);
    CHECK(step.access == step_access::write);
    CHECK(step.before_name == "&waiter#2");
    CHECK(step.after_name == "completed");
    CHECK(step.coherence == 3U);
    CHECK(step.using_order == order::acq_rel);
    CHECK(step.overridden);
    CHECK(step.before == 0xfedcba9876543210);
    CHECK(step.second_before == 0xfedcba9876543211);
    CHECK_FALSE(step.after);
    CHECK_FALSE(step.second_after);
    CHECK(step.reads_from == 4U);
    CHECK(step.stale);
    CHECK(step.clock == std::vector<std::uint64_t>{1, 0, 9});
    CHECK(step.note == "fails");
    CHECK_FALSE(received->trace[0].using_order);
}

TEST_CASE("a result that is cut short or holds an unknown name is no result") {
    const std::string text = serialise(example());
    for (std::size_t length = 0; length < text.size(); length += 7) {
        CHECK_FALSE(deserialise(std::string_view(text).substr(0, length)));
    }
    std::string other = text;
    other.replace(other.find("\"violated\""), 10, "\"perfect!\"");
    CHECK_FALSE(deserialise(other));
    CHECK_FALSE(deserialise("{}"));
}

TEST_CASE("bytes that are no UTF-8 do not stop a result") {
    search_result result = example();
    result.message = "\xff\xfe";
    CHECK(deserialise(serialise(result)));
}
