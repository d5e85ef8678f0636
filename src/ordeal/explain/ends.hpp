// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/trace_relations.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstddef>
#include <optional>

namespace ordeal::detail {

/// The two conflicting steps of a violation, if there are two.
struct violation_ends {
    std::optional<std::size_t> first;   ///< the other access, or the end of the object's lifetime
    std::optional<std::size_t> second;  ///< where the violation was found
    bool unordered = false;             ///< neither happens before the other
};

[[nodiscard]] violation_ends ends_of(const trace_relations& steps, violation_kind kind);

}  // namespace ordeal::detail
