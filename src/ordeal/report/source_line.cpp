// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/source_line.hpp"

#include "ordeal/scenario/source_files.hpp"

namespace ordeal::detail {

namespace {

std::string trimmed(const std::string& text) {
    constexpr auto blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

std::string source_lines::at(const std::string& file, std::uint32_t line) {
    const std::vector<std::string>& lines = of(file);
    if (line == 0 || line > lines.size()) return {};
    return trimmed(lines[line - 1]);
}

const std::vector<std::string>& source_lines::of(const std::string& file) {
    auto found = files_.find(file);
    if (found == files_.end()) found = files_.emplace(file, read_source_lines(file)).first;
    return found->second;
}

}  // namespace ordeal::detail
