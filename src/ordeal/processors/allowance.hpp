// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/processors/mapping.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ordeal::detail::processors {

/// Whether a processor can show an execution that is consistent in RC11, with the instructions that clang makes of it.
enum class allowance : std::uint8_t {
    forbidden,
    unless_dependent,  ///< if no later operation depends on the earlier reads of its thread
    allowed,
};

[[nodiscard]] constexpr std::string_view to_string(allowance value) noexcept {
    constexpr std::array<std::string_view, 3> names{"forbidden", "unless dependent", "allowed"};
    return names[static_cast<std::size_t>(value)];
}

using allowances = std::array<allowance, all_targets.size()>;

[[nodiscard]] allowance allowance_of(target which, const std::vector<source_event>& execution);

/// For all targets; nothing if the execution has too many operations to judge.
[[nodiscard]] std::optional<allowances> allowances_of(const std::vector<source_event>& execution);

}  // namespace ordeal::detail::processors
