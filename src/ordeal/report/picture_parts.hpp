// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/picture.hpp"

#include <string>
#include <string_view>

namespace ordeal::detail {

/// "po", "rf", "fr", "co"; of a missing one "no sync"
[[nodiscard]] std::string_view short_name(const picture_edge& edge) noexcept;

/// The lines of a node: "c: store release", "flag_ = 1", "task.hpp:75"; none is empty.
[[nodiscard]] std::vector<std::string> lines_of(const picture_node& node);

}  // namespace ordeal::detail
