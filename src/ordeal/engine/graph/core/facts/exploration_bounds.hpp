// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds on the exploration, among them loops whose states cannot be compared: their iterations are counted.
#pragma once

#include "ordeal/engine/graph/core/facts/search_facts.hpp"
#include "ordeal/engine/limit.hpp"

#include <span>
#include <string>

namespace ordeal::detail::graph {

/// Iterations with a yield, and with a wait that times out.
inline constexpr unsigned most_yields = 8;
inline constexpr unsigned most_time_outs = 8;

/// So many iterations with a yield and without an effect are a loop, whatever each of them reads.
inline constexpr unsigned yields_of_a_loop = 2;

/// Iterations that read the same but in a different state each time (the loop counts, say, or acquires locks). The
/// first `iterations_explored` are explored in full; later ones read only the co-maximal write, and after
/// `iterations_followed` only if nothing else can happen.
inline constexpr unsigned iterations_explored = 32;
inline constexpr unsigned iterations_followed = 100;

/// Spurious returns of waits that are explored in one thread; redundant ones do not count.
inline constexpr unsigned most_wake_ups = 8;

/// Iterations of a thread that acquires a lock, fails to acquire another, and releases the first, without any effect.
inline constexpr unsigned most_lock_iterations = 2;

/// A bound on what would otherwise be endless, or too many executions. Where one is reached, the verdict has a limit of
/// this name and is not *held*, unless the limit is an assumption of the model, which leaves no execution out.
struct exploration_bound {
    const char* id;                ///< of the limit
    const char* option;            ///< of the command line that sets it; null: the bound is fixed
    unsigned most;                 ///< the default; 0: no number
    bool search_facts::* reached;  ///< set when a search reached the bound
    const char* text;              ///< of the limit; the first {} is for the number, the second for "time" or "times"
    limit_effect effect = limit_effect::bounds;

    [[nodiscard]] std::string words(unsigned number) const;
};

/// All bounds, in the order in which a verdict lists them.
[[nodiscard]] std::span<const exploration_bound> exploration_bounds() noexcept;

}  // namespace ordeal::detail::graph
