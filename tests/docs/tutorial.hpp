// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "document.hpp"

namespace ordeal::docs {

/// Pages that are executed from the first line to the last, each in a folder of its own, against the package of the build
/// tree:
///
///   file: NAME        the block that follows is that file, which is written
///   shell: all        the commands of the block that follows are run, one after the other; each must end with 0
///   step: COMMAND     the command is run, and the block that follows shows what it prints
///     exit: N         with which exit code it ends; 0 if not given. The options of other listings are allowed, too
///
/// Another page may show what came of it:
///
///   tutorial: COMMAND or NAME     what the first such step printed, or the file as it was written first
///
/// Times in reports are replaced by dots.
inline constexpr const char* tutorial_page = "docs/tutorial.md";
inline constexpr const char* queue_page = "docs/how-to/queue-in-ci.md";
inline constexpr const char* existing_tests_page = "docs/how-to/existing-tests.md";
inline constexpr const char* clients_page = "docs/how-to/all-clients.md";

/// What the command of a `step:` printed, or of the tutorial that of a `tutorial:`. Executes the page when it is asked
/// first; throws std::runtime_error for a command that ends with another exit code.
[[nodiscard]] lines tutorial_output(const directive& of);

/// The text of a file as the tutorial wrote it first; none if it writes no such file.
[[nodiscard]] lines tutorial_file(const std::string& name);

}  // namespace ordeal::docs
