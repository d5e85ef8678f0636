// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace ordeal::detail {

/// Says how this program was called, which is argv[0]: lines to paste begin with it. Before any report is made, and
/// once; until then it is "ordeal".
void set_called_as(std::string_view program);

/// As a shell takes it: "ordeal" where it was found by its name alone, "./build/my_suite", "'./my build/suite'".
[[nodiscard]] const std::string& called_as() noexcept;

/// The file alone: "my_suite".
[[nodiscard]] std::string program_name();

/// The version of this program: "0.1.0".
[[nodiscard]] const char* program_version() noexcept;

/// One word of a shell, quoted where it has to be.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace ordeal::detail
