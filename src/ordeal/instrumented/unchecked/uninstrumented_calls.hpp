// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace ordeal {

/// Functions of libraries that code on trial calls. What those do of which library_functions.cpp knows is accounted for. What others
/// do to memory nobody sees, and a verdict that comes to such a call names it as a limit.
namespace uninstrumented_calls {

/// Before the first execution: every call of such a function from a trial library goes through an account of it.
void begin_search();

/// Limits for those whose calls cannot be noticed: on processors for which nobody has written what notices them.
[[nodiscard]] std::vector<std::string> unnoticed();

}  // namespace uninstrumented_calls

}  // namespace ordeal
