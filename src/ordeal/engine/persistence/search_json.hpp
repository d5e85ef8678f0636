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

/// A complete search result as text, for the way from a child process to its parent. Not a report format: it may change
/// with any version.
[[nodiscard]] std::string serialise(const search_result& result);

/// The inverse; nothing if the text is not a complete search result.
[[nodiscard]] std::optional<search_result> deserialise(std::string_view text);

}  // namespace ordeal::detail
