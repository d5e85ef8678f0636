// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace ordeal {

/// The path as sites have it: without `.` and `..`, and relative to the registered folder that it is under.
[[nodiscard]] std::string source_name(std::string_view path);

/// Where a source file stands; empty when it cannot be read. A relative path is looked for from the current directory, then from the registered folders,
/// then from the folder share/ordeal beside the folder of this program, or above.
[[nodiscard]] std::string find_source(const std::string& path);

/// A source file to read, where find_source() finds it.
[[nodiscard]] std::ifstream open_source(const std::string& path);

}  // namespace ordeal
