// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/picture/picture.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// "po", "rf", "fr", "co", "hb"; of a missing one "no sync"
[[nodiscard]] std::string_view short_name(const picture_edge& edge) noexcept;

/// Of a line of a node; one without a blank may be longer.
inline constexpr std::size_t most_characters = 44;

/// The lines of a node: "c: store release", "flag_ = 1", "task.hpp:75"; none is empty, and what is long is in several.
[[nodiscard]] std::vector<std::string> lines_of(const picture_node& node);

}  // namespace ordeal::detail
