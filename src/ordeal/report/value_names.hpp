// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ordeal::detail {

/// Names for the values in a trace. Small numbers are written as they are; an address becomes "ptr1", "ptr2", ... in
/// the order of appearance, so that two runs print alike.
class value_names {
public:
    [[nodiscard]] std::string of(std::uint64_t value) {
        constexpr std::uint64_t smallest_address = std::uint64_t{1} << 32;
        constexpr auto smallest_negative = static_cast<std::uint64_t>(std::int64_t{-65536});
        if (value < smallest_address) return std::to_string(value);
        if (value >= smallest_negative) return std::to_string(static_cast<std::int64_t>(value));
        return "ptr" + std::to_string(addresses_.emplace(value, addresses_.size() + 1).first->second);
    }

    /// What a step has read or written; "{ptr1, 3}" of 16 bytes.
    [[nodiscard]] std::string of(std::uint64_t value, const std::optional<std::uint64_t>& second) {
        const std::string first = of(value);
        return second ? "{" + first + ", " + of(*second) + "}" : first;
    }

    /// ": 0 -> 1" of a step that does both, ": 0" of one that reads, " = 1" of one that writes; else empty.
    [[nodiscard]] std::string change_by(const trace_step& step) {
        const auto text = [&](std::uint64_t value, const std::optional<std::uint64_t>& second,
                              const std::string& in_source) {
            return in_source.empty() ? of(value, second) : in_source;
        };
        const std::string before = step.before ? text(*step.before, step.second_before, step.before_name) : "";
        const std::string after = step.after ? text(*step.after, step.second_after, step.after_name) : "";
        if (step.before && step.after) return ": " + before + " -> " + after;
        if (step.before) return ": " + before;
        return step.after ? " = " + after : "";
    }

private:
    std::map<std::uint64_t, std::size_t> addresses_;
};

}  // namespace ordeal::detail
