// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace ordeal::detail {

/// How wide a report on standard output is: on a terminal as COLUMNS or the terminal has it, from 60 to 200; as usual elsewhere.
[[nodiscard]] std::size_t text_width();

}  // namespace ordeal::detail
