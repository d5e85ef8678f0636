// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/formats.hpp"
#include "ordeal/report/stress_report.hpp"

#include <catch2/catch.hpp>

using namespace ordeal;
using namespace ordeal::detail;
using Catch::Matchers::Contains;

namespace {

scenario example() {
    scenario what;
    what.name = "event/example";
    what.subject = "event";
    what.threads = {"one", "two"};
    return what;
}

// A million samples and a model that produces "ready" and "resumed".
stressed_scenario shown(const scenario& what, std::map<std::string, std::uint64_t> outcomes) {
    stressed_scenario result;
    result.what = &what;
    result.seed = 7;
    result.engine = "relacy";
    result.ran.verdict = verdict::held_within;
    result.ran.seconds = 2;
    for (const auto& [outcome, samples] : outcomes) result.ran.executions += samples;
    result.ran.outcomes = std::move(outcomes);
    result.model.verdict = verdict::held_within;
    result.model.executions = 4;
    result.model.complete = true;
    result.model.outcomes = {{"ready", 3}, {"resumed", 1}};
    judge(result);
    return result;
}

const shown_outcome& outcome(const stressed_scenario& of, std::string_view name) {
    for (const shown_outcome& each : of.outcomes) {
        if (each.outcome == name) return each;
    }
    throw std::runtime_error("not shown");
}

}  // namespace

TEST_CASE("an outcome that a bounded search did not produce is not impossible") {
    const scenario what = example();
    const stressed_scenario judged = shown(what, {{"ready", 10}, {"refused", 1}});
    CHECK(outcome(judged, "ready").model == model_says::possible);
    CHECK(outcome(judged, "refused").model == model_says::not_produced);
    CHECK(judged.as_expected);
    CHECK(judged.not_shown == std::vector<std::string>{"resumed"});
}

TEST_CASE("an outcome that a search of every execution did not produce is impossible, and fails the scenario") {
    const scenario what = example();
    stressed_scenario judged = shown(what, {{"ready", 10}, {"refused", 1}});
    judged.model.verdict = verdict::held;
    judge(judged);
    CHECK(outcome(judged, "refused").model == model_says::impossible);
    CHECK_FALSE(judged.as_expected);
    CHECK_THAT(judged.message, Contains("'refused' impossible"));
    judged.model.complete = false;
    judge(judged);
    CHECK(outcome(judged, "refused").model == model_says::not_produced);
}

TEST_CASE("without a search the model says nothing") {
    const scenario what = example();
    stressed_scenario judged = shown(what, {{"ready", 10}});
    judged.model = {};
    judge(judged);
    CHECK(outcome(judged, "ready").model == model_says::nothing);
    CHECK(judged.as_expected);
}

TEST_CASE("an execution without an outcome makes the empty outcome possible") {
    const scenario what = example();
    stressed_scenario judged = shown(what, {{"", 10}});
    CHECK(outcome(judged, "").model == model_says::not_produced);
    judged.model.outcomes = {{"ready", 3}};
    judge(judged);
    CHECK(outcome(judged, "").model == model_says::possible);
}

TEST_CASE("with a list of outcomes one that is not listed is forbidden") {
    scenario what = example();
    what.outcomes = {{"ready", grade::acceptable, "it was there"}, {"resumed", grade::interesting, "late"}};
    const stressed_scenario good = shown(what, {{"ready", 10}, {"resumed", 2}});
    CHECK(good.as_expected);
    CHECK(outcome(good, "resumed").expected == grade::interesting);
    CHECK(outcome(good, "ready").sentence == "it was there");
    const stressed_scenario bad = shown(what, {{"ready", 10}, {"torn", 1}});
    CHECK(outcome(bad, "torn").expected == grade::forbidden);
    CHECK_FALSE(bad.as_expected);
    CHECK_THAT(bad.message, Contains("'torn' is forbidden"));
}

TEST_CASE("a rare outcome is interesting once there are enough samples to tell") {
    const scenario what = example();
    const stressed_scenario few = shown(what, {{"ready", 100'000}, {"resumed", 1}});
    CHECK_FALSE(outcome(few, "resumed").rare);
    const stressed_scenario many = shown(what, {{"ready", 1'000'000}, {"resumed", 99}});
    CHECK(outcome(many, "resumed").rare);
    CHECK(outcome(many, "resumed").expected == grade::interesting);
    CHECK(many.as_expected);
    const stressed_scenario often = shown(what, {{"ready", 1'000'000}, {"resumed", 101}});
    CHECK_FALSE(outcome(often, "resumed").rare);
}

TEST_CASE("a violation that is expected is as expected whatever its kind, its absence is not") {
    scenario what = example();
    what.expected = violated(violation_kind::data_race);
    stressed_scenario judged = shown(what, {{"ready", 10}});
    CHECK_FALSE(judged.as_expected);
    CHECK_THAT(judged.message, Contains("did not show it"));
    judged.ran.verdict = verdict::violated;
    judged.ran.kind = violation_kind::crash;
    judge(judged);
    CHECK(judged.as_expected);
}

TEST_CASE("nothing that ran, and a run that could not begin, are not as expected") {
    const scenario what = example();
    CHECK_FALSE(shown(what, {}).as_expected);
    stressed_scenario judged = shown(what, {{"ready", 1}});
    judged.ran.verdict = verdict::inconclusive;
    judged.ran.message = "a thread could not be started";
    judge(judged);
    CHECK_FALSE(judged.as_expected);
    CHECK_THAT(judged.message, Contains("a thread could not be started"));
}

TEST_CASE("the text report of stress has a table for each scenario and a line that repeats what failed") {
    scenario what = example();
    what.outcomes = {{"ready", grade::acceptable, "it was there"}};
    stress_report report;
    report.repeat = " --seconds 2";
    report.seconds = 2.1;
    report.scenarios.push_back(shown(what, {{"ready", 90}, {"torn", 10}}));
    CHECK(text_format().stress(report, {}) ==
          "event/example  100 samples, 50 a second, seed 7\n"
          "  outcome  samples    share  model         expected\n"
          "  ready         90  90.00 %  possible      acceptable  it was there\n"
          "  torn          10  10.00 %  not produced  forbidden   not among the outcomes that the scenario lists\n"
          "  model: held within, 4 executions\n"
          "  possible in the model, never shown: 'resumed'\n"
          "  the outcome 'torn' is forbidden\n"
          "  ordeal stress 'event/example' --seed 7 --seconds 2\n"
          "\n"
          "Scenarios: 1. 100 samples, 50 a second while running; 2.1 s.\n"
          "1 not as expected.\n");
}
