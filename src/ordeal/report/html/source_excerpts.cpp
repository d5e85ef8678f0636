// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/html/source_excerpts.hpp"

#include "ordeal/report/source_line.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ordeal::detail {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t whole_up_to = 1000;  // lines
constexpr std::size_t around = 20;         // lines before and after one that is referred to

using places = std::map<std::string, std::set<std::size_t>>;

void collect(const ordered_json& value, places& found) {
    if (value.is_object()) {
        const auto file = value.find("file");
        const auto line = value.find("line");
        if (file != value.end() && line != value.end() && file->is_string() && line->is_number_unsigned()) {
            found[file->get<std::string>()].insert(line->get<std::size_t>());
        }
    }
    if (!value.is_structured()) return;
    for (const ordered_json& each : value) collect(each, found);
}

ordered_json part_of(const std::vector<std::string>& lines, std::size_t first, std::size_t last) {
    ordered_json text = ordered_json::array();
    for (std::size_t i = first; i <= last; ++i) text.push_back(lines[i - 1]);
    return {{"first", first}, {"lines", std::move(text)}};
}

ordered_json parts_of(const std::vector<std::string>& lines, const std::set<std::size_t>& wanted) {
    ordered_json parts = ordered_json::array();
    if (lines.size() <= whole_up_to) {
        parts.push_back(part_of(lines, 1, lines.size()));
        return parts;
    }
    std::size_t first = 0;
    std::size_t last = 0;
    for (const std::size_t line : wanted) {
        if (line == 0 || line > lines.size()) continue;
        if (first != 0 && line > last + around) {
            parts.push_back(part_of(lines, first, last));
            first = 0;
        }
        if (first == 0) first = line > around ? line - around : 1;
        last = std::min(line + around, lines.size());
    }
    if (first != 0) parts.push_back(part_of(lines, first, last));
    return parts;
}

}  // namespace

ordered_json source_excerpts(const ordered_json& report) {
    places found;
    collect(report, found);
    source_lines sources;
    ordered_json result = ordered_json::object();
    for (const auto& [file, wanted] : found) {
        const std::vector<std::string>& lines = sources.of(file);
        if (lines.empty()) continue;
        result[file] = {{"count", lines.size()}, {"parts", parts_of(lines, wanted)}};
    }
    return result;
}

}  // namespace ordeal::detail
