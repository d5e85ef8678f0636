// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/text/table.hpp"

#include "ordeal/report/escaped_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::detail {

std::string dressed(const table_cell& cell, const text_style& style) {
    switch (cell.tone) {
        case tone::good: return style.good(cell.text);
        case tone::bad: return style.bad(cell.text);
        case tone::doubtful: return style.doubtful(cell.text);
        case tone::faint: return style.faint(cell.text);
        case tone::plain: break;
    }
    return cell.text;
}

text_table::text_table(const std::vector<std::string>& headings) {
    for (const std::string& heading : headings) {
        const bool right = heading.starts_with('>');
        right_.push_back(right);
        headings_.push_back({right ? heading.substr(1) : heading});
    }
}

void text_table::add(std::vector<table_cell> row) {
    for (table_cell& each : row) each.text = escaped(each.text);
    rows_.push_back(std::move(row));
}

std::string text_table::line(const std::vector<table_cell>& row, const std::vector<std::size_t>& widths,
                             const text_style& style) const {
    std::string result;
    std::size_t blanks = 0;  // owed before the next text
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t padding = widths[i] - row[i].text.size();
        if (right_[i]) blanks += padding;
        if (!row[i].text.empty()) {
            result.append(blanks, ' ').append(dressed(row[i], style));
            blanks = 0;
        }
        blanks += (right_[i] ? 0 : padding) + 2;
    }
    return result + '\n';
}

std::string text_table::text(const text_style& style) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < headings_.size(); ++i) {
        std::size_t width = headings_[i].text.size();
        for (const auto& row : rows_) width = std::max(width, i < row.size() ? row[i].text.size() : 0);
        widths.push_back(width);
    }
    std::string result = style.strong(line(headings_, widths, text_style()));
    for (const auto& row : rows_) result += line(row, widths, style);
    return result;
}

std::string counted(std::uint64_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

}  // namespace ordeal::detail
