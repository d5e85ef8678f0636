// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <string>
#include <vector>

// Code on trial that was not checked. A verdict that leaves such code out is not as expected, unless the build names
// the code with ALLOW_UNSEEN.
namespace ordeal::detail {

/// Something unchecked that an execution used, at this site if it is not empty. `what` begins with `not_checked` for
/// code that the build does not allow to be unchecked.
[[nodiscard]] limit limit_of_unseen(const std::string& what, const std::string& where);

/// The limits for it: "NOT CHECKED: lib.cpp (libl.a): add it to SOURCES, or INSTRUMENT l".
[[nodiscard]] std::vector<std::string> unchecked_code(const std::vector<limit>& limits);

/// Whether this is a search without a violation that left such code unchecked.
[[nodiscard]] bool leaves_code_unchecked(const search_result& result);

/// The unchecked parts of the linked code, as limits of every verdict on it.
[[nodiscard]] std::vector<limit> limits_of_linked_code();

}  // namespace ordeal::detail
