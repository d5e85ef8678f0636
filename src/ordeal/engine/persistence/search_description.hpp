// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// The options that decide which executions a search has and what it keeps of them, as one line of JSON: for files that
/// only the same search may resume, and for processes that share one. Excludes time limits and the number of processes.
[[nodiscard]] std::string description_of(const search_options& how);

/// The inverse; nothing if the text is incomplete.
[[nodiscard]] std::optional<search_options> parse_description(std::string_view text);

}  // namespace ordeal::detail
