// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <span>
#include <string_view>

namespace ordeal::detail {

/// The engines built into this program; the first is the default.
[[nodiscard]] std::span<engine* const> engines();
/// The engine of that name; null if there is none.
[[nodiscard]] engine* find_engine(std::string_view name);

}  // namespace ordeal::detail
