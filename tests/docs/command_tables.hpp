// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

namespace ordeal::docs {

/// Whether the directive is one of `table: commands`, `table: options COMMAND`, `table: exit-codes`, `table: environment`.
[[nodiscard]] bool is_command_table(const directive& of);

/// That table, as the program describes itself in its manual page.
[[nodiscard]] lines command_table(const directive& of);

/// The commands of the program.
[[nodiscard]] lines command_names();

}  // namespace ordeal::docs
