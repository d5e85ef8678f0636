// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

#include <string_view>

namespace ordeal::docs {

/// The README of an example has what its program says, up to a line with this comment.
///
///   audit: PROGRAM [SUBJECT]      what the audit says of the subject: sites with their verdicts, minimal assignments. The
///                                 subject is the program's name if not said
///   verdicts: PROGRAM PATTERN...  the scenarios that match, what each is about, its verdict and, where every execution was
///                                 explored, their number
inline constexpr std::string_view end_of_example_text = "<!-- end -->";

[[nodiscard]] bool is_of_an_example(const directive& of);
[[nodiscard]] lines example_text(const directive& of);

}  // namespace ordeal::docs
