// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/report/text/style.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ordeal::detail {

enum class tone : std::uint8_t { plain, good, bad, doubtful, faint };

struct table_cell {
    std::string text;
    ordeal::detail::tone tone = ordeal::detail::tone::plain;
};

[[nodiscard]] std::string dressed(const table_cell& cell, const text_style& style);

/// Columns as wide as their widest cell, two blanks apart; no blanks at the end of a line.
class text_table {
public:
    /// A heading that begins with '>' is of a column aligned to the right.
    explicit text_table(const std::vector<std::string>& headings);

    /// Control characters are shown escaped.
    void add(std::vector<table_cell> row);
    [[nodiscard]] std::string text(const text_style& style) const;

private:
    [[nodiscard]] std::string line(const std::vector<table_cell>& row, const std::vector<std::size_t>& widths,
                                   const text_style& style) const;

    std::vector<table_cell> headings_;
    std::vector<bool> right_;
    std::vector<std::vector<table_cell>> rows_;
};

/// "1 execution", "2 executions".
[[nodiscard]] std::string counted(std::uint64_t n, const char* word);

}  // namespace ordeal::detail
