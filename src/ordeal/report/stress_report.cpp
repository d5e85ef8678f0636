// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/stress_report.hpp"

#include "ordeal/report/check_report.hpp"
#include "ordeal/report/pasted_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace ordeal::detail {

namespace {

constexpr std::array<std::string_view, 4> model_names{"", "possible", "not produced", "impossible"};

std::string quoted(const std::string& outcome) { return outcome.empty() ? "(no outcome)" : "'" + outcome + "'"; }

// Engines do not count the empty outcome; finished executions without another one had it.
bool has_empty_outcome(const search_result& model) {
    std::uint64_t counted = 0;
    for (const auto& [outcome, executions] : model.outcomes) counted += executions;
    return model.executions > counted;
}

model_says say(const search_result& model, const std::string& outcome) {
    if (model.executions == 0) return model_says::nothing;
    if (model.outcomes.contains(outcome)) return model_says::possible;
    if (outcome.empty() && has_empty_outcome(model)) return model_says::possible;
    // Complete as asked for is not enough: an engine may leave executions out, and then says "held within".
    const bool everything = model.complete && model.verdict == verdict::held;
    return everything ? model_says::impossible : model_says::not_produced;
}

shown_outcome graded(const stressed_scenario& stressed, const std::string& outcome, std::uint64_t samples) {
    shown_outcome shown;
    shown.outcome = outcome;
    shown.samples = samples;
    shown.share = static_cast<double>(samples) / static_cast<double>(stressed.ran.executions);
    shown.model = say(stressed.model, outcome);
    const auto& grades = stressed.what->outcomes;
    const auto found = std::ranges::find(grades, outcome, &outcome_grade::outcome);
    if (found != grades.end()) {
        shown.expected = found->expected;
        shown.sentence = found->sentence;
    } else if (!grades.empty()) {
        shown.expected = grade::forbidden;
        shown.sentence = "not among the outcomes that the scenario lists";
    }
    shown.rare =
        shown.expected == grade::acceptable && stressed.ran.executions >= enough_samples && shown.share < rare_share;
    if (shown.rare) shown.expected = grade::interesting;
    return shown;
}

// The first reason why a scenario that must hold does not; empty when there is none.
std::string objection(const stressed_scenario& stressed) {
    const search_result& ran = stressed.ran;
    if (ran.verdict == verdict::violated) {
        return fmt::format("{}: {}", words(ran), ran.message);
    }
    for (const shown_outcome& shown : stressed.outcomes) {
        if (shown.model == model_says::impossible) {
            return fmt::format("the model calls the outcome {} impossible", quoted(shown.outcome));
        }
        if (shown.expected == grade::forbidden) {
            return fmt::format("the outcome {} is forbidden", quoted(shown.outcome));
        }
    }
    if (stressed.model.verdict == verdict::violated) {
        return fmt::format("the model finds a violation: {}; {} check '{}' shows it", words(stressed.model),
                           called_as(), stressed.what->name);
    }
    if (ran.verdict == verdict::inconclusive && !ran.stopped) return fmt::format("{}: {}", words(ran), ran.message);
    return ran.executions == 0 && !ran.stopped ? "not one sample" : "";
}

}  // namespace

std::string_view to_string(model_says value) noexcept { return model_names[static_cast<std::size_t>(value)]; }

double stressed_scenario::samples_per_second() const noexcept {
    return ran.seconds > 0 ? static_cast<double>(ran.executions) / ran.seconds : 0;
}

void judge(stressed_scenario& stressed) {
    stressed.outcomes.clear();
    stressed.not_shown.clear();
    for (const auto& [outcome, samples] : stressed.ran.outcomes) {
        stressed.outcomes.push_back(graded(stressed, outcome, samples));
    }
    std::ranges::sort(stressed.outcomes, [](const shown_outcome& a, const shown_outcome& b) {
        return std::tie(b.samples, a.outcome) < std::tie(a.samples, b.outcome);
    });
    // A run that was violated has no complete count.
    if (stressed.ran.verdict == verdict::held_within) {
        for (const auto& [outcome, executions] : stressed.model.outcomes) {
            if (!stressed.ran.outcomes.contains(outcome)) stressed.not_shown.push_back(outcome);
        }
    }
    if (!stressed.what->expected.violation) {
        stressed.message = objection(stressed);
        stressed.as_expected = stressed.message.empty();
        return;
    }
    stressed.as_expected = stressed.ran.verdict == verdict::violated;
    const std::string must = words(stressed.what->expected);
    stressed.message = stressed.as_expected
                           ? fmt::format("{}: {}", words(stressed.ran), stressed.ran.message)
                           : fmt::format("expected {}; real threads did not show it{}{}", must,
                                         stressed.ran.message.empty() ? "" : ": ", stressed.ran.message);
}

std::size_t stress_report::unexpected() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(scenarios.begin(), scenarios.end(), [](const auto& each) { return !each.as_expected; }));
}

std::uint64_t stress_report::samples() const noexcept {
    std::uint64_t sum = 0;
    for (const stressed_scenario& each : scenarios) sum += each.ran.executions;
    return sum;
}

std::string repeat_command(const stress_report& report, const stressed_scenario& stressed) {
    return fmt::format("{} stress '{}' --seed {}{}", called_as(), stressed.what->name, stressed.seed, report.repeat);
}

}  // namespace ordeal::detail
