// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

// Other programs that a command starts and waits for.
namespace ordeal::detail {

/// Whether a program of this name is found as a shell would find it; a name with '/' is that file.
[[nodiscard]] bool is_on_path(const std::string& program);

/// Runs a program to its end, and returns its status as waitpid() has it; nothing, with errno, where it could not be
/// started. Control-C is for that program alone. `output`: the file that gets what it prints, on standard output and
/// on standard error; none: it prints where this program does.
[[nodiscard]] std::optional<int> run_to_its_end(std::vector<std::string> arguments, const std::string& output = {});

/// For execv(): the arguments, and a null pointer at the end. As long as the arguments are there.
[[nodiscard]] std::vector<char*> argument_pointers(std::vector<std::string>& arguments);

}  // namespace ordeal::detail
