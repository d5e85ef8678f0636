// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

// What the Markdown reports share.
namespace ordeal::detail {

/// Text that stands for itself: names and messages come from the code on trial.
[[nodiscard]] std::string plain(std::string_view text);

/// Within a line, or the cell of a table.
[[nodiscard]] std::string code(std::string_view text);

[[nodiscard]] std::string row(const std::vector<std::string>& cells);

/// The first row of a table, and the line under it.
[[nodiscard]] std::string heading(const std::vector<std::string>& cells);

/// Lines that stand as they are; the fence is longer than any in them.
[[nodiscard]] std::string fenced(std::string_view text, std::string_view language);

/// Shown when the reader unfolds it. The summary is HTML.
[[nodiscard]] std::string collapsed(std::string_view summary, std::string_view content);

}  // namespace ordeal::detail
