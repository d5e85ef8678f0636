// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ordeal {

/// What went wrong in an execution.
enum class violation_kind : std::uint8_t {
    data_race,
    unsynchronised_destruction,
    use_after_free,
    double_free,
    frame_misuse,
    leak,
    failed_requirement,
    precondition,  ///< a function of a library is called in a way that its specification rules out
    deadlock,  ///< a deadlock or a lost wake-up: nothing can go on
    livelock,
    uninitialised_read,
    uncaught_exception,
    crash,
    nondeterminism,
    time_out,
};

/// "data race", "unsynchronised destruction", ...: the words used in every report.
[[nodiscard]] std::string_view to_string(violation_kind kind) noexcept;
[[nodiscard]] std::optional<violation_kind> parse_violation_kind(std::string_view text) noexcept;

}  // namespace ordeal
