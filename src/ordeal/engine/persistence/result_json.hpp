// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ordeal::detail {

/// A complete search result as text, for the way from a child process to its parent. Not a report format: it may change
/// with any version.
[[nodiscard]] std::string serialise(const search_result& result);

/// The inverse; nothing if the text is not a complete search result.
[[nodiscard]] std::optional<search_result> deserialise(std::string_view text);

}  // namespace ordeal::detail
