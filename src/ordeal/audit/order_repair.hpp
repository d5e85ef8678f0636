// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/cost/target.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/runtime/site.hpp"

#include <string>
#include <vector>

namespace ordeal {

/// What operations cost on one target: an estimate without unit, docs/reference/cost.md.
struct target_cost {
    target on = target::x86_64;
    int cost = 0;
    std::vector<std::string> instructions;  ///< of each operation; where these are equal, nothing is saved

    bool operator==(const target_cost&) const = default;
};

/// One change, or some together, after which no scenario is violated. None of them can be left out or made weaker.
struct repair {
    std::vector<order_override> changes;
    std::vector<limit> limits;           ///< empty: every scenario held, all executions explored
    std::vector<target_cost> written{};  ///< what the operations that change cost, by target; a new fence nothing
    std::vector<target_cost> costs{};    ///< the same, changed
};

}  // namespace ordeal
