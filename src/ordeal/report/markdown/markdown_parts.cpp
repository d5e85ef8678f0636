// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/markdown/markdown_parts.hpp"

#include "ordeal/report/escaped_text.hpp"

#include <algorithm>
#include <cctype>

namespace ordeal::detail {

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The longest run of this character.
std::size_t longest_run(std::string_view text, char of) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == of ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

std::string plain(std::string_view text) {
    const std::string shown = escaped(text);
    std::string result;
    for (std::size_t i = 0; i != shown.size(); ++i) {
        const char c = shown[i];
        // Within a word an underscore is one.
        const bool inside = i > 0 && i + 1 < shown.size() && is_of_word(shown[i - 1]) && is_of_word(shown[i + 1]);
        const bool special = std::string_view("\\`*_[]<>|#~&").find(c) != std::string_view::npos;
        if (special && !(c == '_' && inside)) result += '\\';
        result += c;
    }
    return result;
}

std::string code(std::string_view text) {
    std::string result = escaped(text);
    std::erase(result, '`');
    std::string cell;
    for (const char c : result) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return '`' + cell + '`';
}

std::string row(const std::vector<std::string>& cells) {
    std::string result = "|";
    for (const std::string& cell : cells) result += ' ' + cell + " |";
    return result + '\n';
}

std::string heading(const std::vector<std::string>& cells) {
    std::string result = row(cells) + '|';
    for (std::size_t i = 0; i != cells.size(); ++i) result += "---|";
    return result + '\n';
}

std::string fenced(std::string_view lines, std::string_view language) {
    const std::string text = escaped_lines(lines);
    const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
    std::string result = fence + std::string(language) + '\n' + text;
    if (!text.empty() && text.back() != '\n') result += '\n';
    return result + fence + '\n';
}

std::string collapsed(std::string_view summary, std::string_view content) {
    std::string result = "<details><summary>" + std::string(summary) + "</summary>\n\n";
    return result.append(content).append("\n</details>\n");
}

}  // namespace ordeal::detail
