// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace ordeal::detail {

/// The source name of a symbol. C names stay as they are: `x` is a variable, though it is also the mangled `long long`.
[[nodiscard]] std::string readable_symbol(const char* symbol);

}  // namespace ordeal::detail
