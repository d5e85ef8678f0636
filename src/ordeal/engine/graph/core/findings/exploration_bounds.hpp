// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns of loops whose states cannot be told to be the same: they are counted, and followed for so many.
#pragma once

#include "ordeal/engine/graph/core/findings/findings.hpp"
#include "ordeal/engine/limit.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace ordeal::graph {

/// With a yield in each, and with a wait that comes to its limit.
inline constexpr unsigned most_yields = 8;
inline constexpr unsigned most_time_outs = 8;

/// So many iterations with a yield and without an effect are a loop, whatever it looks at in each.
inline constexpr unsigned yields_of_a_loop = 2;

/// Turns that find the same each time, in another state each time (the loop counts, say, or takes locks): so many have
/// alternatives of their own. After them the loop goes on with the newest there is; but not for ever, unless nothing else
/// can happen.
inline constexpr unsigned iterations_explored = 32;
inline constexpr unsigned iterations_followed = 100;

/// Spurious ends of waits that are followed in one thread; those that lead nowhere do not count.
inline constexpr unsigned most_wake_ups = 8;

/// Turns of a thread that takes a lock, fails to take another, and gives the first one back, without any effect.
inline constexpr unsigned most_lock_iterations = 2;

/// How far a search follows what would otherwise have no end, or too many executions. Where one is met, the verdict has a
/// limit of this name, and is not *held* but where nothing was left out: an order that is assumed is part of the model.
struct exploration_bound {
    const char* id;                       ///< of the limit
    const char* option;                   ///< of the command line that sets it; null: it is fixed
    unsigned most;                        ///< if no option says otherwise; 0: none at all
    bool findings::* reached;             ///< whether a search came to it
    std::string (*words)(unsigned most);  ///< of the limit
    limit_effect effect = limit_effect::bounds;
};

inline constexpr std::size_t number_of_exploration_bounds = 14;

/// All of them, in the order in which a verdict names them.
[[nodiscard]] const std::array<exploration_bound, number_of_exploration_bounds>& exploration_bounds() noexcept;

}  // namespace ordeal::graph
