// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/findings/findings.hpp"
#include "ordeal/engine/limit.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace ordeal::graph {

/// How far a search follows what would otherwise have no end, or too many executions. Where one is met, the verdict has a
/// limit of this name, and is not *held* but where nothing was left out: an order that is assumed is part of the model.
struct exploration_bound {
    const char* id;                       ///< of the limit
    const char* option;                   ///< of the command line that sets it; null: it is fixed
    unsigned most;                        ///< if no option says otherwise; 0: none at all
    bool findings::* reached;                 ///< whether a search came to it
    std::string (*words)(unsigned most);  ///< of the limit
    limit_effect effect = limit_effect::bounds;
};

inline constexpr std::size_t number_of_exploration_bounds = 14;

/// All of them, in the order in which a verdict names them.
[[nodiscard]] const std::array<exploration_bound, number_of_exploration_bounds>& exploration_bounds() noexcept;

}  // namespace ordeal::graph
