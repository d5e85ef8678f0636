// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/command_parts.hpp"
#include "ordeal/report/stress_report.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ordeal::detail {

/// What a pass over the scenarios is given.
struct stress_round {
    std::uint64_t seed = 0;
    double seconds = 0;         ///< for each scenario; 0: until it has the samples
    std::uint64_t samples = 0;  ///< for each scenario; 0: as many as the time allows
    double hang_timeout = 10;
    unsigned jobs = 1;
    bool show_output = false;
};

/// The scenarios to run: those that must hold, and others only when a pattern is exactly their name. Never those
/// without a policy; throws when one of them is named.
[[nodiscard]] std::vector<stressed_scenario> scenarios_to_stress(std::span<const scenario* const> chosen,
                                                                 const std::vector<std::string>& patterns);

/// Asks the first engine which outcomes the model produces; without an engine the model says nothing. Returns false
/// when it was asked to stop.
[[nodiscard]] bool ask_the_model(std::vector<stressed_scenario>& scenarios, unsigned jobs,
                                 const progress_callback& on_progress);

/// Runs every scenario without a violation once on real threads, each in a process of its own, and adds what it
/// showed. Returns false when it was asked to stop.
[[nodiscard]] bool run_round(std::vector<stressed_scenario>& scenarios, const stress_round& round,
                             const progress_callback& on_progress);

/// Rounds until the time is over or a stop is asked for; the sums go into the file after each. Returns how many
/// rounds and seconds there were, those of earlier runs included.
struct soak_totals {
    std::uint64_t rounds = 0;
    double seconds = 0;
};
[[nodiscard]] soak_totals soak(std::vector<stressed_scenario>& scenarios, const command_options& options,
                               std::uint64_t seed, watched_progress& progress);

}  // namespace ordeal::detail
