// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// What the model says of an outcome.
enum class model_says : std::uint8_t {
    nothing,       ///< no search was made, or it explored nothing
    possible,      ///< some execution ends with it
    not_produced,  ///< no execution of a search that did not explore all ends with it
    impossible,    ///< every execution was explored, and none ends with it
};

[[nodiscard]] std::string_view to_string(model_says value) noexcept;

/// An allowed outcome rarer than this is reported as interesting, once there are enough samples to tell.
inline constexpr double rare_share = 1e-4;
inline constexpr std::uint64_t enough_samples = 1'000'000;

/// One outcome that real threads showed.
struct shown_outcome {
    std::string outcome;
    std::uint64_t samples = 0;
    double share = 0;
    model_says model = model_says::nothing;
    grade expected = grade::acceptable;
    bool rare = false;     ///< interesting for that alone
    std::string sentence;  ///< the author's; may be empty
};

/// One scenario on real threads.
struct stressed_scenario {
    const scenario* what = nullptr;
    std::uint64_t seed = 0;
    search_result ran;    ///< on real threads: its executions are samples
    search_result model;  ///< by an engine
    std::string engine;   ///< that engine's name

    // What judge() makes of it.
    std::vector<shown_outcome> outcomes;  ///< most samples first
    std::vector<std::string> not_shown;   ///< produced by the model and never shown
    bool as_expected = false;
    std::string message;  ///< why not; or the expected violation

    [[nodiscard]] double samples_per_second() const noexcept;
};

/// Grades the outcomes and says whether all is as expected. A scenario that must be violated is as expected with a
/// violation of any kind: what a race does on real threads is anybody's guess.
void judge(stressed_scenario& stressed);

/// What `stress` reports, in any format.
struct stress_report {
    std::vector<stressed_scenario> scenarios;  ///< those that were begun, by name
    std::size_t not_begun = 0;
    bool stopped_early = false;
    double seconds = 0;        ///< wall clock
    std::string repeat;        ///< the options with which a violation is repeated
    std::uint64_t rounds = 0;  ///< of a soak; 0: not a soak
    std::string soak;          ///< its file

    [[nodiscard]] std::size_t unexpected() const noexcept;
    [[nodiscard]] std::uint64_t samples() const noexcept;
};

/// The command that runs this scenario again with this seed.
[[nodiscard]] std::string repeat_command(const stress_report& report, const stressed_scenario& stressed);

}  // namespace ordeal::detail
