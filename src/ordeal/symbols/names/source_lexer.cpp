// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/names/source_lexer.hpp"

#include "ordeal/scenario/source_files.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace ordeal::detail {

namespace {

bool begins_name(char letter) { return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }
bool is_in_name(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find("//")); }

// The end of the name that begins at `begin`.
std::size_t end_of_name(std::string_view line, std::size_t begin) {
    while (begin < line.size() && is_in_name(line[begin])) ++begin;
    return begin;
}

}  // namespace

const std::string& source_text::line(const std::string& file, std::uint32_t number) {
    static const std::string none;
    auto known = files_.find(file);
    if (known == files_.end()) known = files_.emplace(file, read_source_lines(file)).first;
    return number == 0 || number > known->second.size() ? none : known->second[number - 1];
}

namespace {

// Behind the template arguments that begin here; here if none do, or they do not end on this line.
std::size_t end_of_arguments(std::string_view line, std::size_t begin) {
    if (begin >= line.size() || line[begin] != '<') return begin;
    int open = 0;
    for (std::size_t at = begin; at < line.size(); ++at) {
        open += line[at] == '<' ? 1 : line[at] == '>' ? -1 : 0;
        if (open == 0) return at + 1;
    }
    return begin;
}

}  // namespace

std::vector<std::string> types_allocated(std::string_view line) {
    line = without_comment(line);
    std::vector<std::string> result;
    for (std::size_t at = line.find("new"); at != std::string_view::npos; at = line.find("new", at + 1)) {
        if ((at > 0 && is_in_name(line[at - 1])) || (at + 3 < line.size() && is_in_name(line[at + 3]))) continue;
        std::size_t begin = line.find_first_not_of(' ', at + 3);
        // A placement: new (std::nothrow) node.
        if (begin != std::string_view::npos && line[begin] == '(') {
            begin = line.find(')', begin);
            if (begin != std::string_view::npos) begin = line.find_first_not_of(' ', begin + 1);
        }
        if (begin == std::string_view::npos) continue;
        std::size_t end = begin;
        while (end < line.size() && (is_in_name(line[end]) || line.substr(end, 2) == "::")) {
            end += line[end] == ':' ? 2 : 1;
        }
        if (end > begin) result.emplace_back(line.substr(begin, end_of_arguments(line, end) - begin));
    }
    // Of malloc and calloc.
    constexpr std::string_view size = "sizeof(";
    for (std::size_t at = line.find(size); at != std::string_view::npos; at = line.find(size, at + 1)) {
        const std::size_t begin = at + size.size();
        const std::size_t end = line.find(')', begin);
        if (end != std::string_view::npos) result.emplace_back(line.substr(begin, end - begin));
    }
    return result;
}

std::vector<std::string> names_in(std::string_view line) {
    line = without_comment(line);
    std::vector<std::string> result;
    bool quoted = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '"') quoted = !quoted;
        if (quoted || !begins_name(line[at]) || (at > 0 && is_in_name(line[at - 1]))) continue;
        std::string name(line.substr(at, end_of_name(line, at) - at));
        if (std::ranges::find(result, name) == result.end()) result.push_back(std::move(name));
    }
    return result;
}

std::string object_of_call(std::string_view line, std::uint32_t column) {
    if (column == 0 || column > line.size()) return {};
    std::string last;
    for (std::size_t at = column - 1; at < line.size();) {
        const std::size_t end = end_of_name(line, at);
        if (end == at) {
            // Skips an index or the arguments of a preceding call.
            if (line[at] != '[') return {};
            at = line.find(']', at);
            if (at == std::string_view::npos) return {};
            ++at;
        } else {
            if (end < line.size() && line[end] == '(') return last;
            last = line.substr(at, end - at);
            at = end;
        }
        if (at < line.size() && line[at] == '[') continue;
        if (line.substr(at, 2) == "->") {
            at += 2;
        } else if (at < line.size() && line[at] == '.') {
            ++at;
        } else {
            return {};
        }
    }
    return {};
}

}  // namespace ordeal::detail
