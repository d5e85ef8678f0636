// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/check_report.hpp"

#include <span>
#include <string>
#include <string_view>

// Lines for the reader of a report to paste into a shell, and how they call this program.
namespace ordeal::detail {

/// Says how this program was called, which is argv[0]: lines to paste begin with it. Before any report is made, and
/// once; until then it is "ordeal". Where the variable below is in the environment, lines begin with its value, words
/// of a shell: another program has started this one, and is what the user calls.
void set_called_as(std::string_view program);

inline constexpr const char* called_as_variable = "ORDEAL_CALLED_AS";

/// As a shell takes it: "ordeal" where it was found by its name alone, "./build/my_suite", "'./my build/suite'".
[[nodiscard]] const std::string& called_as() noexcept;

/// The file alone: "my_suite"; of what the variable has, all: "ordeal try door.cpp".
[[nodiscard]] std::string program_name();

/// The version of this program: "0.1.0".
[[nodiscard]] const char* program_version() noexcept;

/// One word of a shell, quoted where it has to be.
[[nodiscard]] std::string shell_word(std::string_view text);
/// Words of a shell, a blank before each.
[[nodiscard]] std::string shell_words(std::span<const std::string> words);

/// What stands after the name of an engine: nothing, or ", sequential consistency".
[[nodiscard]] std::string memory_model_suffix(memory_model which);

/// The line to paste that runs the execution of a token again, with the program that prints it; empty for no token.
[[nodiscard]] std::string replay_line(std::string_view token, std::span<const acceptance> accepted);

/// The line to paste that shows a violation again; empty when there is none.
[[nodiscard]] std::string replay_line(const checked_scenario& checked);

}  // namespace ordeal::detail
