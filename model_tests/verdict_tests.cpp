// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every scenario and exhibit of this program gets the verdict it is registered with, from each engine: from Relacy within
// its limits, from the graph engine with every execution explored.
#include "model_tests/support/search.hpp"

#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/check_report.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

constexpr std::string_view relacy = "relacy";
constexpr std::string_view graph = "graph";

void check_verdicts(const std::vector<const scenario*>& chosen, std::string_view engine) {
    REQUIRE_FALSE(chosen.empty());
    search_options how;
    if (engine == relacy) how.resources.seconds = 1;
    const std::vector<search_result> results = search_each(chosen, how, engine);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        INFO(chosen[i]->name << ": " << words(results[i]) << " instead of " << words(chosen[i]->expected) << ". "
                             << results[i].message);
        CHECK(as_expected(chosen[i]->expected, results[i]));
        // Which of them may be said at all.
        const bool bounded = results[i].verdict == verdict::held_within;
        CHECK_FALSE(has_limit(results[i], "load-buffering"));
        CHECK(results[i].verdict != (engine == relacy ? verdict::held : verdict::held_within));
        // Relacy knows of some violations that they may be false alarms, and says so.
        const bool doubted = engine == relacy && results[i].verdict == verdict::violated;
        CHECK((doubted || bounded == leave_anything_out(results[i].limits)));
        CHECK((results[i].verdict != verdict::held || results[i].complete));
        CHECK((results[i].verdict != verdict::violated || results[i].replay.has_value()));
    }
}

std::vector<const scenario*> chosen_by(bool (*wanted)(const scenario&)) {
    std::vector<const scenario*> result;
    for (const scenario& each : scenarios()) {
        if (wanted(each)) result.push_back(&each);
    }
    return result;
}

bool is_control(const scenario& what) { return what.name.starts_with("exhibit/control/"); }

// The positive controls: a silent engine fails here.
void check_controls(std::string_view engine) {
    const auto controls = chosen_by(is_control);
    check_verdicts(controls, engine);
    for (const auto kind :
         {violation_kind::data_race, violation_kind::unsynchronised_destruction, violation_kind::use_after_free,
          violation_kind::double_free, violation_kind::frame_misuse, violation_kind::leak,
          violation_kind::failed_requirement, violation_kind::deadlock, violation_kind::livelock,
          violation_kind::uninitialised_read, violation_kind::uncaught_exception, violation_kind::precondition,
          violation_kind::notification_after_destruction}) {
        INFO(to_string(kind));
        CHECK(std::ranges::any_of(controls, [&](const scenario* each) { return each->expected.violation == kind; }));
    }
}

bool is_production(const scenario& what) { return !what.exhibit; }
bool is_exhibit_in_earnest(const scenario& what) { return what.exhibit && !is_control(what); }

}  // namespace

TEST_CASE("Relacy reports every kind of violation that a scenario can bring about") { check_controls(relacy); }
TEST_CASE("The graph engine reports every kind of violation that a scenario can bring about") { check_controls(graph); }

TEST_CASE("The production code holds in every scenario, within Relacy's limits") {
    check_verdicts(chosen_by(is_production), relacy);
}
TEST_CASE("The production code holds in every execution of every scenario") {
    check_verdicts(chosen_by(is_production), graph);
}

TEST_CASE("Every exhibit gets its verdict and its kind of violation from Relacy") {
    check_verdicts(chosen_by(is_exhibit_in_earnest), relacy);
}
TEST_CASE("Every exhibit gets its verdict and its kind of violation from the graph engine") {
    check_verdicts(chosen_by(is_exhibit_in_earnest), graph);
}

TEST_CASE("Processors can show of each exhibit what the memory models in which it exists say") {
    const auto exhibits = chosen_by([](const scenario& each) { return each.exhibit; });
    const std::vector<search_result> results = search_each(exhibits, {}, graph);
    for (std::size_t i = 0; i < exhibits.size(); ++i) {
        if (!results[i].models) continue;
        const auto found = explain(*exhibits[i], results[i]).processors;
        CAPTURE(exhibits[i]->name, to_string(results[i].models->strongest));
        REQUIRE(found);
        const auto on = [&](target each) { return (*found)[static_cast<std::size_t>(each)]; };
        using enum processors::allowance;
        if (results[i].models->strongest == memory_model::sc)
            CHECK(std::ranges::count(*found, allowed) == all_targets.size());
        if (results[i].models->strongest == memory_model::tso) CHECK(on(target::x86_64) == allowed);
        if (results[i].models->strongest == memory_model::rc11 && results[i].models->excluded)
            CHECK(on(target::x86_64) == forbidden);
    }
}

}  // namespace ordeal::model_tests
