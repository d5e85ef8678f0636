// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/explain/step_words.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail {

/// Where things stand in a printed trace. A step begins in its thread's column and may run over those to the right
/// of it, which are empty in its row.
class trace_layout {
public:
    explicit trace_layout(std::vector<std::string> thread_names);

    /// So many columns leave room for text in the last one.
    [[nodiscard]] static std::size_t most_columns() noexcept;

    /// The thread names, and the line under them.
    [[nodiscard]] std::string head() const;

    /// The part of a row left of the text of a step in this column, with its right-aligned number or blank.
    [[nodiscard]] std::string margin(std::size_t column, std::string_view number) const;

    /// How many characters of text fit into a row from this column on.
    [[nodiscard]] std::size_t room(std::size_t column) const noexcept;

private:
    std::vector<std::string> names_;
    std::size_t stride_;
};

/// `text`, its control characters escaped, in lines of at most `width` characters, broken at blanks.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// `text`, its control characters escaped, cut with "..." at the end if it is longer than `width`.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

}  // namespace ordeal::detail
