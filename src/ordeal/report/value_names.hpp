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
    [[nodiscard]] std::string of(std::uint64_t value);
    /// What a step has read or written; "{ptr1, 3}" of 16 bytes.
    [[nodiscard]] std::string of(std::uint64_t value, const std::optional<std::uint64_t>& second);
    /// ": 0 -> 1" of a step that does both, ": 0" of one that reads, " = 1" of one that writes; else empty.
    [[nodiscard]] std::string change_by(const trace_step& step);

private:
    std::map<std::uint64_t, std::size_t> addresses_;
};

}  // namespace ordeal::detail
