// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/runtime/trace.hpp"

#include "ordeal/runtime/word.hpp"

#include <array>
#include <utility>

namespace ordeal::detail {

namespace {

constexpr std::array<std::pair<step_access, std::string_view>, 3> access_names{
    {{step_access::none, "none"}, {step_access::read, "read"}, {step_access::write, "write"}}};

void set_value(std::uint64_t word, std::uint64_t size, std::optional<std::uint64_t>& first,
               std::optional<std::uint64_t>& second) {
    if (size != wide_size) {
        first = word;
        return;
    }
    const wide_value value = wide_value_of(word);
    first = value.first;
    second = value.second;
}

}  // namespace

void trace_step::set_before(std::uint64_t word) { set_value(word, size, before, second_before); }
void trace_step::set_after(std::uint64_t word) { set_value(word, size, after, second_after); }

std::string_view to_string(step_access value) noexcept {
    for (const auto& [each, name] : access_names) {
        if (each == value) return name;
    }
    return "none";
}

std::optional<step_access> parse_step_access(std::string_view text) noexcept {
    for (const auto& [each, name] : access_names) {
        if (name == text) return each;
    }
    return std::nullopt;
}

}  // namespace ordeal::detail
