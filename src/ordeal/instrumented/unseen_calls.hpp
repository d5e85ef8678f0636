// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// Functions that code on trial calls and that are neither the harness's nor known to be harmless: what they do to memory
/// nobody sees, and a verdict that comes to such a call names it as a limit.
namespace unseen_calls {

/// Before the first execution: every call of such a function from a trial library goes through a note of it.
void begin_search();

/// Limits for those whose calls cannot be noticed: on processors for which nobody has written what notices them.
[[nodiscard]] std::vector<std::string> unnoticed();

}  // namespace unseen_calls

/// Whether a function of a library, by its symbol, reads and writes nothing through which threads on trial could race:
/// reviewed, see harmless_functions.cpp.
[[nodiscard]] bool is_harmless_function(std::string_view symbol) noexcept;

}  // namespace ordeal
