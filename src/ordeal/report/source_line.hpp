// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/source_files.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ordeal::detail {

/// Lines of source files, for people to read beside a code location. read_source() says where they are looked for.
class source_lines {
public:
    /// Without its indentation; empty when there is no such file or line.
    [[nodiscard]] std::string at(const std::string& file, std::uint32_t line) {
        const std::vector<std::string>& lines = of(file);
        if (line == 0 || line > lines.size()) return {};
        return trimmed(lines[line - 1]);
    }

    /// All of them as they stand; empty when there is no such file. Valid as long as this object.
    [[nodiscard]] const std::vector<std::string>& of(const std::string& file) {
        auto found = files_.find(file);
        if (found == files_.end()) found = files_.emplace(file, read_source_lines(file)).first;
        return found->second;
    }

private:
    static std::string trimmed(const std::string& text) {
        constexpr auto blanks = " \t\r";
        const auto first = text.find_first_not_of(blanks);
        if (first == std::string::npos) return {};
        return text.substr(first, text.find_last_not_of(blanks) - first + 1);
    }

    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace ordeal::detail
