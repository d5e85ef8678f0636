// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal {

/// What the source calls a symbol. Names of C are what they are: `x` is a variable, though it is the mangled `long long`, too.
[[nodiscard]] std::string readable_symbol(const char* symbol);

}  // namespace ordeal
