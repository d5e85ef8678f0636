// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

struct example {
    std::string line;   ///< to paste, with the name of this program
    std::string about;  ///< what it does
};

/// Those of a command; for an empty name one or two of each.
[[nodiscard]] std::vector<example> examples_of(std::string_view command);

/// The examples as lines, and what the program ends with: below the options in the help.
[[nodiscard]] std::string help_footer(std::string_view command);

/// "0 all as expected, ...": one for each exit status.
[[nodiscard]] std::vector<example> exit_statuses();

}  // namespace ordeal::detail
