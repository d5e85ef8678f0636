// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ordeal::docs {

using lines = std::vector<std::string>;

/// An HTML comment of a Markdown file that says what the text beside it must agree with: `<!-- kind: argument -->`, or
/// over several lines with an option, `key: value`, on each. A `check` and a `mutant` are about what their line says.
struct directive {
    std::string page{};  ///< the path of its document
    std::string kind;
    std::string argument;
    std::vector<std::pair<std::string, std::string>> options;
    std::size_t first = 0;  ///< the line that it begins on
    std::size_t last = 0;   ///< the line that it ends on
    std::string visible;    ///< what stands before it on its first line
};

/// A Markdown file of the project.
struct document {
    std::string path;  ///< relative to the root of the project
    lines text;
    std::vector<bool> code;  ///< for each line: whether it is in a fenced block, or its fence
    std::vector<directive> directives;
};

/// README.md, CONTRIBUTING.md, and all Markdown files of docs/ and reference-data/: runs must confirm their listings,
/// commands and names.
[[nodiscard]] lines document_paths();
/// Every Markdown file of the project: their links are followed.
[[nodiscard]] lines markdown_paths();

/// Throws std::runtime_error for what cannot be read and for a comment that is no directive.
[[nodiscard]] document load(const std::string& path);

[[nodiscard]] lines lines_of(const std::string& text);
[[nodiscard]] std::string content(const std::string& path);  ///< of a file, relative to the root of the project
[[nodiscard]] std::string trimmed(std::string_view text);
[[nodiscard]] lines words_of(std::string_view text);  ///< "..." is one word, without the quotes

/// The texts between backquotes outside fenced blocks, each with its line.
struct code_span {
    std::string text;
    std::size_t line = 0;
};
[[nodiscard]] std::vector<code_span> code_spans(const document& of);

}  // namespace ordeal::docs
