// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace ordeal {

/// The text with its control characters written as \n, \x1b and so on: for what came from outside, from the code on trial
/// say, and goes to a terminal.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace ordeal
