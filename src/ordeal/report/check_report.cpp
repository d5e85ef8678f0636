// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/check_report.hpp"

#include "ordeal/audit/subjects.hpp"
#include "ordeal/engine/unchecked_code.hpp"
#include "ordeal/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

namespace {

// A search that is not as expected beside one that is, for a reason that it gives itself.
void excuse(checked_scenario& limited, const checked_scenario& free, const comparison& made) {
    const bool named = made.verdict == agreement::explained && made.limited == limited.engine;
    if (named || limited.refused) limited.explained = !limited.as_expected && free.as_expected;
}

}  // namespace

bool as_expected(const expectation& expected, const search_result& result) {
    return is_as_expected(expected, result) && (expected.violation || result.executions > 0);
}

std::string words(verdict says, const std::optional<violation_kind>& kind) {
    std::string result(to_string(says));
    if (kind) result.append(": ").append(to_string(*kind));
    return result;
}

std::string words(const expectation& expected) {
    std::string text = words(expected.violation ? verdict::violated : verdict::held, expected.violation);
    if (*expected.words != '\0') text.append(" with '").append(expected.words).append("'");
    return text;
}

// With one thread, or one at a time, nothing is interleaved, and whoever reads *held* is to know that.
std::string words(const search_result& result) {
    const bool holds = result.verdict == verdict::held || result.verdict == verdict::held_within;
    std::string text = words(result.verdict, result.verdict == verdict::violated ? result.kind : std::nullopt);
    if (holds && result.threads == 1) text += ", one thread";
    if (holds && result.threads > 1 && !result.concurrent) text += ", one thread at a time";
    return text;
}

std::string unexpected_verdict_text(const expectation& expected, const search_result& result) {
    if (!expected.violation && leaves_code_unchecked(result)) return words(result) + ", not checked";
    return words(result) + ", expected " + words(expected);
}

namespace {

std::string words_for_strongest(const models_of_violation& models) {
    switch (models.strongest) {
        case memory_model::sc: break;
        case memory_model::tso:
            if (!models.cut_short) break;
            return "Exists under TSO, the memory model of x86-64; a search under sequential consistency was cut short.";
        case memory_model::cpp20_letter:
        case memory_model::cpp20: break;
        case memory_model::rc11:
            if (!models.cut_short) break;
            return "A search under TSO, the memory model of x86-64, was cut short.";
    }
    switch (models.strongest) {
        case memory_model::sc: break;
        case memory_model::tso:
            return models.excluded
                       ? "Exists under TSO, the memory model of x86-64, and not under sequential consistency."
                       : "Exists under TSO, the memory model of x86-64; none was found under sequential consistency.";
        case memory_model::cpp20_letter:
        case memory_model::cpp20: return "Exists only with load buffering: a later store was made before a load.";
        case memory_model::rc11:
            return models.excluded ? "Exists only in memory models weaker than TSO, the memory model of x86-64."
                                   : "None was found under TSO, the memory model of x86-64.";
    }
    return "Exists under sequential consistency: stronger memory orders do not prevent it.";
}

}  // namespace

std::string words(const models_of_violation& models) {
    std::string text = words_for_strongest(models);
    if (!models.by_letter)
        text +=
            " [atomics.order]/4 forbids the execution shown: no single order of its seq_cst operations agrees with "
            "coherence through weaker ones (LWG issue 3941).";
    return text;
}

std::size_t check_report::unexpected() const noexcept {
    return static_cast<std::size_t>(std::count_if(
        scenarios.begin(), scenarios.end(), [](const auto& each) { return !each.as_expected && !each.explained; }));
}

std::size_t check_report::count(agreement wanted) const noexcept {
    return static_cast<std::size_t>(std::ranges::count(comparisons, wanted, &comparison::verdict));
}

std::string why_not_all_ran(const check_report& report) {
    if (report.stopped_early) {
        return fmt::format("stopped early: {} not begun", counted(report.not_begun, "scenario"));
    }
    return report.scenarios.empty() ? "nothing ran" : "";
}

void compare_engines(check_report& report) {
    auto& all = report.scenarios;
    for (auto first = all.begin(); first != all.end();) {
        auto other = first + 1;
        for (; other != all.end() && other->what == first->what; ++other) {
            const comparison made =
                compare(*first->what, {first->engine, first->result}, {other->engine, other->result});
            excuse(*first, *other, made);
            excuse(*other, *first, made);
            report.comparisons.push_back(made);
        }
        first = other;
    }
}

}  // namespace ordeal::detail
