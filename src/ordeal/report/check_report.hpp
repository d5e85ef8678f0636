// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/common_results.hpp"
#include "ordeal/engine/engine.hpp"
#include "ordeal/explain/explanation.hpp"
#include "ordeal/report/comparison.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// "schema" of the JSON reports: counts up when a key changes its meaning.
inline constexpr int report_schema = 1;

/// Whether a search says what the scenario is expected to get. *Held within* is as expected where *held* is; a search
/// that explored nothing is as expected nowhere, and one that leaves code unchecked neither.
[[nodiscard]] bool as_expected(const expectation& expected, const search_result& result);

/// "held", or "violated: data race".
[[nodiscard]] std::string words(const expectation& expected);
[[nodiscard]] std::string words(const search_result& result);
[[nodiscard]] std::string words(verdict says, const std::optional<violation_kind>& kind);

/// Of a search that is not as expected: "held within, expected violated: data race", or "held within, not checked".
[[nodiscard]] std::string unexpected_verdict_text(const expectation& expected, const search_result& result);

/// In which memory models a violation exists: "Exists under ...", a sentence.
[[nodiscard]] std::string words(const models_of_violation& models);

/// What `list` reports.
struct list_report {
    struct entry {
        const scenario* what = nullptr;
        std::vector<std::string> engines;  ///< of this program, that can search it
    };
    std::vector<entry> scenarios;  ///< by name
};

/// The example of an outcome, run again.
struct shown_example {
    std::string outcome;
    std::string token;
    search_result result;
    explanation why{};  ///< of the result
};

/// One scenario under one engine.
struct checked_scenario {
    const scenario* what = nullptr;
    std::string engine;
    search_result result;
    bool as_expected = false;
    std::string token;       ///< what `replay` takes; empty when there is nothing to replay
    bool refused = false;    ///< the engine cannot run it at all
    bool explained = false;  ///< not as expected, but another engine is, and a limit named here explains the difference
    memory_model model = default_memory_model;
    std::vector<acceptance> accept{};                     ///< what the search went on behind, if it met it
    std::map<std::string, std::string> example_tokens{};  ///< by outcome, of result.examples
    std::optional<shown_example> example{};
    std::optional<ordeal::detail::repair>
        repair{};       ///< of a violation that was not expected, where one was found at once
    explanation why{};  ///< of the result
};

/// What `check` reports, in any format.
struct check_report {
    std::vector<checked_scenario> scenarios;  ///< those that were begun, by name
    std::vector<comparison> comparisons;      ///< of scenarios that several engines searched
    std::size_t not_begun = 0;
    bool stopped_early = false;
    double seconds = 0;             ///< wall clock
    search_options how{};           ///< each search, as it was asked for
    bool require_complete = false;  ///< a search that was cut short is a failure
    bool lists_outcomes = false;
    bool lists_coverage = false;
    std::optional<std::vector<shortfall>>
        strict{};  ///< what is not decided for every execution; set by the one who asks

    [[nodiscard]] std::size_t unexpected() const noexcept;             ///< searches not as expected, and not explained
    [[nodiscard]] std::size_t count(agreement wanted) const noexcept;  ///< comparisons
};

/// "stopped early: 2 scenarios not begun", "nothing ran"; empty: all ran.
[[nodiscard]] std::string why_not_all_ran(const check_report& report);

/// Compares the first engine of each scenario with every other one, and says which searches that explains.
void compare_engines(check_report& report);

/// What `replay` reports: one execution.
struct replay_report {
    const scenario* what = nullptr;
    std::string engine;
    memory_model model = default_memory_model;
    std::string token;
    std::vector<order_override> overrides;
    search_result result;
    std::vector<acceptance> accept{};  ///< what it went on behind
    explanation why{};                 ///< of the result
};

}  // namespace ordeal::detail
