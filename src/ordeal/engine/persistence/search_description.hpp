// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ordeal {

/// What decides which executions a search has, and what it keeps of them, as one line of JSON: for files that only the same
/// search may go on from, and for processes that share one. Not how long it may take, nor with how many processes.
[[nodiscard]] std::string description_of(const search_options& how);

/// The options again; nothing when the text is not whole.
[[nodiscard]] std::optional<search_options> parse_description(std::string_view text);

}  // namespace ordeal
