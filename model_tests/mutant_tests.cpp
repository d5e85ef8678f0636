// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders that the production code needs: with one of them weakened, a scenario is violated in each engine, in the same
// way, and the violation can be run again. Sites are found by what they are, not by their lines.
#include "model_tests/support/same_trace.hpp"
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <string_view>

namespace ordeal::model_tests {

using namespace detail;

namespace {

struct mutant {
    const char* file;
    const char* function;
    role what;
    order declared;
    order replacement;
    const char* where;  ///< a scenario that then is violated
    violation_kind kind;
};

constexpr const char* task = "coro/task.hpp";
constexpr const char* event = "coro/manual_reset_event.hpp";

constexpr auto unsynchronised = violation_kind::unsynchronised_destruction;
constexpr auto race = violation_kind::data_race;

constexpr mutant mutants[] = {
    {task, "abandon", role::exchange, order::acq_rel, order::acquire, "task/abandon_against_complete", unsynchronised},
    {task, "abandon", role::exchange, order::acq_rel, order::release, "task/abandon_against_complete", unsynchronised},
    {task, "complete", role::exchange, order::acq_rel, order::release, "task/abandon_against_complete", unsynchronised},
    {task, "complete", role::exchange, order::acq_rel, order::acquire, "task/abandon_against_complete", unsynchronised},
    {task, "complete", role::exchange, order::acq_rel, order::acquire, "task/complete_against_await", race},
    {task, "ready", role::load, order::acquire, order::relaxed, "task/poll_then_await", race},
    {task, "register_awaiter", role::exchange, order::acq_rel, order::acquire, "task/complete_against_await", race},
    {task, "register_awaiter", role::exchange, order::acq_rel, order::release, "task/complete_against_await", race},
    {event, "is_set", role::load, order::acquire, order::relaxed, "event/is_set_publishes", race},
    {event, "push", role::load, order::acquire, order::relaxed, "event/destroyed_by_its_waiter", unsynchronised},
    {event, "push", role::success, order::release, order::relaxed, "event/set_against_one_waiter", race},
    {event, "push", role::failure, order::acquire, order::relaxed, "event/destroyed_by_its_waiter", unsynchronised},
    {event, "set", role::exchange, order::acq_rel, order::acquire, "event/destroyed_by_its_waiter", unsynchronised},
    {event, "set", role::exchange, order::acq_rel, order::release, "event/set_against_one_waiter", race},
};

std::string words_for(const mutant& of) {
    return std::string(of.file) + " " + of.function + " " + std::string(to_string(of.what)) + " = " +
           std::string(to_string(of.replacement)) + " in " + of.where;
}

bool is_site_of(const site& candidate, const mutant& of) {
    return candidate.key.file.ends_with(of.file) && candidate.function == of.function &&
           candidate.key.what == of.what && candidate.declared == of.declared;
}

std::set<site_key> sites_of(const mutant& of, const search_result& unchanged) {
    std::set<site_key> found;
    for (const reached_site& each : unchanged.sites) {
        if (is_site_of(each.where, of)) found.insert(each.where.key);
    }
    return found;
}

void check_replay(const scenario& what, search_options how, std::string_view engine, const search_result& found) {
    REQUIRE(found.replay.has_value());
    how.replay = found.replay;
    const search_result first = search(what, how, engine);
    const search_result second = search(what, how, engine);
    CHECK(first.verdict == verdict::violated);
    CHECK(first.kind == found.kind);
    CHECK(first.message == found.message);
    CHECK(second.kind == first.kind);
    CHECK_FALSE(first.trace.empty());
    CHECK(same_trace(first.trace, second.trace));
    CHECK(same_trace(first.trace, found.trace));
}

void check_mutant(const mutant& of, std::string_view engine) {
    CAPTURE(engine, words_for(of));
    const scenario& what = registered(of.where);
    search_options how;
    if (engine == "relacy") how.resources.seconds = 2;
    const search_result unchanged = search(what, how, engine);
    REQUIRE(unchanged.verdict != verdict::violated);
    const auto sites = sites_of(of, unchanged);
    REQUIRE(sites.size() == 1);
    how.mutant.overrides = {{*sites.begin(), of.replacement}};
    const search_result found = search(what, how, engine);
    CAPTURE(found.message);
    REQUIRE(found.kind.has_value());
    CHECK(to_string(*found.kind) == to_string(of.kind));
    check_replay(what, how, engine, found);
}

void check_declared_orders(std::string_view engine, verdict expected) {
    const scenario& what = registered("event/set_against_one_waiter");
    const search_result plain = search(what, {}, engine);
    search_options how;
    for (const reached_site& each : plain.sites) how.mutant.overrides.push_back({each.where.key, each.where.declared});
    REQUIRE_FALSE(how.mutant.overrides.empty());
    const search_result same = search(what, how, engine);
    CHECK(same.verdict == expected);
    CHECK(same.executions == plain.executions);
    CHECK(same.outcomes == plain.outcomes);
}

}  // namespace

TEST_CASE("Relacy finds each weakened order violated, and the violation replays alike") {
    for (const mutant& of : mutants) check_mutant(of, "relacy");
}

TEST_CASE("The graph engine finds each weakened order violated, and the violation replays alike") {
    for (const mutant& of : mutants) check_mutant(of, "graph");
}

TEST_CASE("The code with its orders written out as overrides holds as the code itself does") {
    check_declared_orders("relacy", verdict::held_within);
    check_declared_orders("graph", verdict::held);
}

}  // namespace ordeal::model_tests
