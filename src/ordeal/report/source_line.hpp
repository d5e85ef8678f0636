// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ordeal::detail {

/// Lines of source files, for people to read beside a code location. read_source() says where they are looked for.
class source_lines {
public:
    /// Without its indentation; empty when there is no such file or line.
    [[nodiscard]] std::string at(const std::string& file, std::uint32_t line);

    /// All of them as they stand; empty when there is no such file. Valid as long as this object.
    [[nodiscard]] const std::vector<std::string>& of(const std::string& file);

private:
    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace ordeal::detail
