// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// A token of C++ source. `text` points into the text that it was read from.
struct source_token {
    enum class kind : std::uint8_t {
        identifier,  ///< or a keyword
        literal,     ///< a number, a character or a string
        mark,        ///< "(", "::", "->", ...
        directive,   ///< a whole preprocessor line, with its continuation lines
    };
    kind what = kind::mark;
    std::string_view text;
    std::uint32_t line = 0;    ///< from 1
    std::uint32_t column = 0;  ///< in bytes, from 1, as compilers count
};

/// The tokens of a source text without its comments. The only multi-character operators are `::` and `->`; text that is
/// not C++ gives some tokens, too.
[[nodiscard]] std::vector<source_token> tokens_of(std::string_view text);

}  // namespace ordeal::detail
