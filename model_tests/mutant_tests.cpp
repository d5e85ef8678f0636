// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders that the production code needs: with one of them weakened, some scenario is violated, and the violation can be
// run again. Sites are found by what they are, not by their lines.
#include "model_tests/support/same_trace.hpp"
#include "model_tests/support/search.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct mutant {
    const char* subject;
    const char* function;
    role what;
    order declared;
    order replacement;
};

constexpr const char* task = "task";
constexpr const char* event = "manual_reset_event";

constexpr mutant mutants[] = {
    {task, "abandon", role::exchange, order::acq_rel, order::acquire},
    {task, "abandon", role::exchange, order::acq_rel, order::release},
    {task, "complete", role::exchange, order::acq_rel, order::release},
    {task, "complete", role::exchange, order::acq_rel, order::acquire},
    {task, "ready", role::load, order::acquire, order::relaxed},
    {task, "register_awaiter", role::exchange, order::acq_rel, order::acquire},
    {task, "register_awaiter", role::exchange, order::acq_rel, order::release},
    {event, "is_set", role::load, order::acquire, order::relaxed},
    {event, "push", role::load, order::acquire, order::relaxed},
    {event, "push", role::success, order::release, order::relaxed},
    {event, "push", role::failure, order::acquire, order::relaxed},
    {event, "set", role::exchange, order::acq_rel, order::acquire},
    {event, "set", role::exchange, order::acq_rel, order::release},
};

std::string words_for(const mutant& of) {
    return std::string(of.subject) + "::" + of.function + " " + std::string(to_string(of.what)) + " = " +
           std::string(to_string(of.replacement));
}

std::vector<const scenario*> scenarios_of(std::string_view subject) {
    std::vector<const scenario*> result;
    for (const scenario& each : scenarios()) {
        if (each.subject == subject && !each.exhibit) result.push_back(&each);
    }
    return result;
}

// Every site that the scenarios of a subject reach with the code as it is, and who reaches it.
struct baseline {
    std::vector<const scenario*> all;
    std::vector<search_result> results;
};

const baseline& baseline_of(const std::string& subject) {
    static std::map<std::string, baseline> known;
    baseline& entry = known[subject];
    if (entry.all.empty()) {
        search_options how;
        how.mode = search_mode::preemptions;
        how.bound = 2;
        how.seconds = 1;
        entry.all = scenarios_of(subject);
        entry.results = search_each(entry.all, how);
    }
    return entry;
}

bool is_site_of(const site& candidate, const mutant& of) {
    return candidate.key.file.ends_with("coro/" + std::string(of.subject) + ".hpp") &&
           candidate.function == of.function && candidate.key.what == of.what && candidate.declared == of.declared;
}

std::set<site_key> sites_of(const mutant& of) {
    std::set<site_key> found;
    for (const search_result& result : baseline_of(of.subject).results) {
        for (const reached_site& each : result.sites) {
            if (is_site_of(each.where, of)) found.insert(each.where.key);
        }
    }
    return found;
}

struct violation_found {
    const scenario* where;
    search_result result;
};

std::optional<violation_found> first_violation(const mutant& of, const search_options& how) {
    const baseline& base = baseline_of(of.subject);
    for (std::size_t i = 0; i < base.all.size(); ++i) {
        const bool reaches = std::ranges::any_of(base.results[i].sites,
                                                 [&](const reached_site& each) { return is_site_of(each.where, of); });
        if (!reaches) continue;
        search_result result = search(*base.all[i], how);
        if (result.verdict == verdict::violated) return violation_found{base.all[i], std::move(result)};
    }
    return std::nullopt;
}

void check_replay(const violation_found& found, search_options how) {
    REQUIRE(found.result.replay.has_value());
    how.replay = found.result.replay;
    const search_result first = search(*found.where, how);
    const search_result second = search(*found.where, how);
    CHECK(first.verdict == verdict::violated);
    CHECK(first.kind == found.result.kind);
    CHECK(first.message == found.result.message);
    CHECK(second.kind == first.kind);
    CHECK_FALSE(first.trace.empty());
    CHECK(same_trace(first.trace, second.trace));
    CHECK(same_trace(first.trace, found.result.trace));
}

}  // namespace

TEST_CASE("Each weakened order is violated by some scenario, and the violation replays alike") {
    for (const mutant& of : mutants) {
        CAPTURE(words_for(of));
        const auto sites = sites_of(of);
        REQUIRE(sites.size() == 1);
        search_options how;
        how.seconds = 2;
        how.overrides = {{*sites.begin(), of.replacement}};
        const auto found = first_violation(of, how);
        REQUIRE(found.has_value());
        CAPTURE(found->where->name, found->result.message);
        check_replay(*found, how);
    }
}

TEST_CASE("The code with its orders written out as overrides holds as the code itself does") {
    const scenario& what = registered("event/set_against_one_waiter");
    const search_result plain = search(what);
    search_options how;
    for (const reached_site& each : plain.sites) how.overrides.push_back({each.where.key, each.where.declared});
    REQUIRE_FALSE(how.overrides.empty());
    const search_result same = search(what, how);
    CHECK(same.verdict == verdict::held_within);
    CHECK(same.executions == plain.executions);
    CHECK(same.outcomes == plain.outcomes);
}

}  // namespace ordeal::model_tests
