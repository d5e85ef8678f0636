// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// The path as sites have it: without `.` and `..`, and relative to the registered folder that contains it.
[[nodiscard]] std::string source_name(std::string_view path);

/// The location of a source file; empty if it cannot be read or is no regular file. A relative path is looked up in the
/// current directory, then in the registered folders, then in share/ordeal beside this program's folder or above.
[[nodiscard]] std::string find_source(const std::string& path);

/// The folder share/ordeal of the package that this program is part of, or is built in; empty where there is none.
[[nodiscard]] const std::string& own_sources();

/// The text of a source file found by find_source(); nothing if it cannot be read. Only regular files are opened, as
/// any path may be named by a source: a pipe may block for ever, and a device may never end.
[[nodiscard]] std::optional<std::string> read_source(const std::string& path);

/// Whether the file found by find_source() was modified after this program and its shared libraries were linked, so
/// that it may differ from what they were built from. By the modification times of the file system.
[[nodiscard]] bool is_newer_than_program(const std::string& path);

/// Its lines; none if it cannot be read.
[[nodiscard]] std::vector<std::string> read_source_lines(const std::string& path);

/// The reasons why files were not read as sources, each once: "'a.cpp' is a pipe, not a regular file".
[[nodiscard]] const std::vector<std::string>& refused_sources();

}  // namespace ordeal::detail
