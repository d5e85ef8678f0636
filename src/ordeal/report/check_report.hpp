// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ordeal {

/// Whether a search says what the scenario is expected to get. *Held within* is as expected where *held* is; a search
/// that explored nothing is as expected nowhere.
[[nodiscard]] bool as_expected(const expectation& expected, const search_result& result) noexcept;

/// "held", or "violated: data race".
[[nodiscard]] std::string words(const expectation& expected);
[[nodiscard]] std::string words(const search_result& result);

/// One scenario under one engine.
struct checked_scenario {
    const scenario* what = nullptr;
    std::string engine;
    search_result result;
    bool as_expected = false;
    std::string token;  ///< what `replay` takes; empty when there is nothing to replay
};

/// What `check` reports, in any format.
struct check_report {
    std::vector<checked_scenario> scenarios;  ///< those that were begun, by name
    std::size_t not_begun = 0;
    bool stopped_early = false;
    double seconds = 0;  ///< wall clock

    [[nodiscard]] std::size_t unexpected() const noexcept;
    [[nodiscard]] std::size_t cut_short() const noexcept;  ///< searches that their time budget ended
};

/// What `replay` reports: one execution.
struct replay_report {
    const scenario* what = nullptr;
    std::string engine;
    std::string token;
    std::vector<order_override> overrides;
    search_result result;
};

}  // namespace ordeal
