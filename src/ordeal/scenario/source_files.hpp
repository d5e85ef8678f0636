// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal {

/// The path as sites have it: without `.` and `..`, and relative to the registered folder that it is under.
[[nodiscard]] std::string source_name(std::string_view path);

/// Where a source file stands; empty when it cannot be read, or is no regular file. A relative path is looked for from the
/// current directory, then from the registered folders, then from the folder share/ordeal beside the folder of this program,
/// or above.
[[nodiscard]] std::string find_source(const std::string& path);

/// The text of a source file, where find_source() finds it; nothing when it cannot be read. What is no regular file is not
/// opened for reading, whatever a source says its own name is: a pipe may wait for ever, and a device never end.
[[nodiscard]] std::optional<std::string> read_source(const std::string& path);

/// Whether the file that find_source() finds was written to after this program and its shared libraries were linked: what stands
/// in it need not be what they were built from. By the times that the file system keeps.
[[nodiscard]] bool is_newer_than_program(const std::string& path);

/// Its lines; none when it cannot be read.
[[nodiscard]] std::vector<std::string> read_source_lines(const std::string& path);

/// Why files that were asked for as sources were not read, each once: "'a.cpp' is a pipe, not a regular file".
[[nodiscard]] const std::vector<std::string>& refused_sources();

}  // namespace ordeal
