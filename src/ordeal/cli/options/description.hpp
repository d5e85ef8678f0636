// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// NOLINTBEGIN(readability-identifier-naming): names of the library
namespace CLI {
class App;
}
// NOLINTEND(readability-identifier-naming)

// The command line as data: help, completion and the manual page are all made from the one description that parses it.
namespace ordeal::detail {

/// What completes a value.
struct value_choices {
    bool files = false;
    bool scenarios = false;
    std::vector<std::string> values{};  ///< one that ends in '=' goes on
};

struct described_option {
    std::vector<std::string> names;  ///< "-j", "--jobs"; of an argument without a dash none
    std::string value;               ///< "FILE"; empty: it takes none
    bool value_may_be_left_out = false;
    std::string about;
    std::string usual;  ///< its value when it is not given; empty: none is said
    value_choices choices;
};

struct described_command {
    std::string name;
    std::string about;
    std::vector<described_option> options;
    std::vector<described_option> arguments;  ///< without a dash
};

struct described_program {
    std::string name;  ///< of its file
    std::string about;
    std::vector<described_option> options;
    std::vector<described_command> commands;
};

[[nodiscard]] described_program describe(const CLI::App& app);

/// The script that a shell reads: "bash", "zsh" or "fish".
[[nodiscard]] std::string completion_script(const described_program& of, const std::string& shell);
[[nodiscard]] const std::vector<std::string>& completion_shells();

/// The manual page, in the language of man(7).
[[nodiscard]] std::string man_page(const described_program& of);

}  // namespace ordeal::detail

namespace ordeal::detail {

struct example {
    std::string line;   ///< to paste, with the name of this program
    std::string about;  ///< what it does
};

/// Whether this program is ordeal's, and not one with trials of somebody's.
[[nodiscard]] bool is_ordeal_itself();

/// Those of a command; for an empty name one or two of each. They name subjects that this program has.
[[nodiscard]] std::vector<example> examples_of(std::string_view command);

/// A row of the help: what is typed, and from this column on what it does, in lines that fit the terminal. What is
/// typed has a line of its own if it is longer than its column.
[[nodiscard]] std::string help_row(std::string_view typed, std::string_view about, std::size_t column);

/// The examples as lines, and what the program ends with: below the options in the help.
[[nodiscard]] std::string help_footer(std::string_view command);

/// "0 all as expected, ...": one for each exit status.
[[nodiscard]] std::vector<example> exit_statuses();

}  // namespace ordeal::detail
