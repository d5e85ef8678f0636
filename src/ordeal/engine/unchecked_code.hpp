// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"

#include <string>
#include <string_view>
#include <vector>

// Code that belongs to what is on trial and that nobody has looked at. A verdict that leaves some out is not as expected, until the
// build names it with ALLOW_UNSEEN.
namespace ordeal {

/// What an execution came to and was not seen, at this place if it is not empty. Words that begin with `not_checked` are of code
/// that the build does not allow to be so.
[[nodiscard]] limit limit_of_unseen(const std::string& what, const std::string& where);

/// The limits that say so: "NOT CHECKED: lib.cpp (libl.a): add it to SOURCES, or INSTRUMENT l".
[[nodiscard]] std::vector<std::string> unchecked_code(const std::vector<limit>& limits);

/// Whether this is a search without a violation that leaves such code out.
[[nodiscard]] bool leaves_code_unchecked(const search_result& result);

/// What of the linked code nobody sees, as limits of each verdict on it.
[[nodiscard]] std::vector<limit> limits_of_linked_code();

}  // namespace ordeal
