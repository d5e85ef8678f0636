// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/violation.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ordeal::tests {

/// What ThreadSanitizer makes of an exhibit that is violated in the model: it reports it, or it cannot see it.
struct exhibit_on_real_threads {
    std::string_view scenario;
    std::vector<violation_kind> reported;  ///< any of these, by which access came first; empty: not visible
    std::string_view file;                 ///< reported: where one of the two accesses is
    std::string_view line;                 ///< reported: a part of that line
    std::string_view why;                  ///< not visible: the reason

    [[nodiscard]] bool visible() const noexcept { return !reported.empty(); }
};

[[nodiscard]] std::span<const exhibit_on_real_threads> exhibit_table();

}  // namespace ordeal::tests
