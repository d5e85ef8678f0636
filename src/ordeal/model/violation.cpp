// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/model/violation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ordeal {

namespace {

constexpr std::array<std::string_view, 15> names{
    "data race",          "unsynchronised destruction",
    "use after free",     "double free",
    "frame misuse",       "leak",
    "failed requirement", "precondition",
    "deadlock",           "livelock",
    "uninitialised read", "uncaught exception",
    "crash",              "nondeterminism",
    "time-out",
};

}  // namespace

std::string_view to_string(violation_kind kind) noexcept { return names[static_cast<std::size_t>(kind)]; }

std::optional<violation_kind> parse_violation_kind(std::string_view text) noexcept {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<violation_kind>(found - names.begin());
}

}  // namespace ordeal
