// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

namespace ordeal::docs {

/// Whether the directive is `table: instructions TARGET clang N`.
[[nodiscard]] bool is_cost_table(const directive& of);

/// Whether such a directive names the clang that compiled the operations of this build. What another one makes of them may
/// differ, and is not what the document says.
[[nodiscard]] bool is_of_this_compiler(const directive& of);

/// What the operations on 8 bytes are on a target, and their cost. Orders with the same instructions share a row.
[[nodiscard]] lines cost_table(const directive& of);

}  // namespace ordeal::docs
