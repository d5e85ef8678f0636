// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/memory_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ordeal::detail {

namespace {

constexpr std::array<std::string_view, 3> short_names{"rc11", "tso", "sc"};
constexpr std::array<std::string_view, 3> names{"RC11", "TSO", "sequential consistency"};

}  // namespace

std::string_view to_string(memory_model value) noexcept { return short_names[static_cast<std::size_t>(value)]; }

std::optional<memory_model> parse_memory_model(std::string_view text) noexcept {
    const auto found = std::ranges::find(short_names, text);
    if (found == short_names.end()) return std::nullopt;
    return static_cast<memory_model>(found - short_names.begin());
}

std::string_view name_of(memory_model value) noexcept { return names[static_cast<std::size_t>(value)]; }

}  // namespace ordeal::detail
