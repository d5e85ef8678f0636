// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/report/value_names.hpp"

namespace ordeal::detail {

std::string value_names::of(std::uint64_t value) {
    constexpr std::uint64_t smallest_address = std::uint64_t{1} << 32;
    constexpr auto smallest_negative = static_cast<std::uint64_t>(std::int64_t{-65536});
    if (value < smallest_address) return std::to_string(value);
    if (value >= smallest_negative) return std::to_string(static_cast<std::int64_t>(value));
    return "ptr" + std::to_string(addresses_.emplace(value, addresses_.size() + 1).first->second);
}

std::string value_names::of(std::uint64_t value, const std::optional<std::uint64_t>& second) {
    const std::string first = of(value);
    return second ? "{" + first + ", " + of(*second) + "}" : first;
}

std::string value_names::change_by(const trace_step& step) {
    const auto text = [&](std::uint64_t value, const std::optional<std::uint64_t>& second,
                          const std::string& in_source) { return in_source.empty() ? of(value, second) : in_source; };
    const std::string before = step.before ? text(*step.before, step.second_before, step.before_name) : "";
    const std::string after = step.after ? text(*step.after, step.second_after, step.after_name) : "";
    if (step.before && step.after) return ": " + before + " -> " + after;
    if (step.before) return ": " + before;
    return step.after ? " = " + after : "";
}

}  // namespace ordeal::detail
