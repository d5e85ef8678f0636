// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ranges>
#include <string>

namespace ordeal {

/// "2, 5 and 7".
template <std::ranges::forward_range Numbers>
[[nodiscard]] std::string listed_numbers(const Numbers& numbers) {
    std::string result;
    for (auto each = std::ranges::begin(numbers); each != std::ranges::end(numbers); ++each) {
        const bool last = std::ranges::next(each) == std::ranges::end(numbers);
        if (each != std::ranges::begin(numbers)) result += last ? " and " : ", ";
        result += std::to_string(*each);
    }
    return result;
}

}  // namespace ordeal
