// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/cost/target.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/runtime/site.hpp"

#include <string>
#include <vector>

namespace ordeal::detail {

/// The cost of operations on one target: an estimate without unit, docs/reference/cost.md.
struct target_cost {
    target on = target::x86_64;
    int cost = 0;
    std::vector<std::string> instructions;  ///< of each operation; if these are equal, nothing is saved

    bool operator==(const target_cost&) const = default;
};

/// A minimal set of changes after which no scenario is violated: none can be left out or weakened.
struct repair {
    std::vector<order_override> changes;
    std::vector<limit> limits;           ///< empty: every scenario held, all executions explored
    std::vector<target_cost> written{};  ///< of the changed operations as written, by target; a new fence costs nothing
    std::vector<target_cost> costs{};    ///< the same with the changes
};

}  // namespace ordeal::detail
