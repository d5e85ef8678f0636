// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/site.hpp"

#include <cstddef>
#include <source_location>
#include <string_view>

namespace ordeal::model_tests {

/// A line of an interpreter stands for operations of several instructions of the program that it interprets: each number is a
/// site of its own. Sites are told apart by the addresses of their names, so each name begins at a character of its own.
[[nodiscard]] inline site_id numbered_site(std::size_t number,
                                           const std::source_location& where = std::source_location::current()) {
    constexpr std::string_view names = "................................";
    return sites().plain_site(where, names.substr(number));
}

}  // namespace ordeal::model_tests
