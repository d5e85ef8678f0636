// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/model/trace.hpp"

#include <array>
#include <utility>

namespace ordeal {

namespace {

constexpr std::array<std::pair<step_access, std::string_view>, 3> names{
    {{step_access::none, "none"}, {step_access::read, "read"}, {step_access::write, "write"}}};

}  // namespace

std::string_view to_string(step_access value) noexcept {
    for (const auto& [each, name] : names) {
        if (each == value) return name;
    }
    return "none";
}

std::optional<step_access> parse_step_access(std::string_view text) noexcept {
    for (const auto& [each, name] : names) {
        if (name == text) return each;
    }
    return std::nullopt;
}

}  // namespace ordeal
