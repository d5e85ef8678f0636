// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>

namespace ordeal::detail {

/// Puts a file on which everything fails where standard input, output or error is closed, so that no pipe of ours gets
/// that number.
void reserve_standard_streams() noexcept;

/// Writes to standard error. What cannot be written is lost; that is no reason to fail.
void say(std::string_view text) noexcept;

/// Writes a line to standard error that begins with the name of this program: "my_suite: cannot write 'a.json'".
void say_line(std::string_view text);

/// How wide a report on standard output is: on a terminal as COLUMNS or the terminal has it, from 60 to 200; as usual
/// elsewhere.
[[nodiscard]] std::size_t text_width();

}  // namespace ordeal::detail
