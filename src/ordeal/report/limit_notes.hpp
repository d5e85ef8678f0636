// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/limit.hpp"

#include <string>
#include <vector>

namespace ordeal::detail {

/// Limits, each told once below a table and named by a number in it.
class limit_notes {
public:
    /// "[1][3]"; empty for no limits.
    [[nodiscard]] std::string marks(const std::vector<std::string>& limits);
    [[nodiscard]] std::string marks(const std::vector<limit>& limits) { return marks(sentences_of(limits)); }

    [[nodiscard]] bool empty() const noexcept { return seen_.empty(); }

    /// A line for each.
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> seen_;
};

}  // namespace ordeal::detail
