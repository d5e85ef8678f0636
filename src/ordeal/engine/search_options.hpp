// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/memory_model.hpp"
#include "ordeal/engine/reductions.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal {

/// How to go through the executions.
enum class search_mode : std::uint8_t {
    automatic,    ///< rising preemption bound, so that the first violation is a simple one, then everything
    full,         ///< everything, no bound
    preemptions,  ///< everything with at most `bound` preemptions
    random,       ///< `bound` random executions
    pct,  ///< `bound` executions under random priorities that change `depth - 1` times (Burckhardt, ASPLOS 2010)
};

/// The choices of one execution, in the engine's own terms; enough to run it again.
struct choices {
    std::string text;  ///< shell-safe characters; empty: the execution that takes the first alternative each time

    bool operator==(const choices&) const = default;
};

/// Which executions are searched, and in which order.
struct search_strategy {
    search_mode mode = search_mode::automatic;
    std::uint64_t bound = 0;
    unsigned depth = 3;      ///< pct search only
    std::uint64_t seed = 0;  ///< random and pct search only
};

/// Bounds on one execution: what could happen again and again happens so often.
struct execution_bounds {
    unsigned spurious = 2;  ///< how often a weak compare-exchange may fail spuriously, for each thread
    unsigned reuse = 2;     ///< how often freed memory may be allocated again in an execution
};

/// What a search may take.
struct search_resources {
    unsigned jobs = 1;         ///< processes that share one search
    double seconds = 0;        ///< time budget; 0: none
    std::uint64_t memory = 0;  ///< bytes that the processes of the search may take together; 0: no limit
    double hang_timeout = 10;  ///< real threads only: seconds without progress that count as a hang
};

/// The file that an interrupted search leaves, and goes on from.
struct checkpoint_options {
    std::string file;     ///< empty: none
    double seconds = 60;  ///< between two times that a search writes it; 0: after every hundred runs
};

/// The code as it would be with other orders at some sites.
struct order_mutant {
    std::vector<order_override> overrides;
    bool all_overrides_reached = true;  ///< inconclusive where the site of an override was not reached
};

/// One part of a search that is divided among machines.
struct search_shard {
    unsigned index = 0;              ///< of `count`, counted from 1: only this part is searched
    unsigned count = 0;              ///< 0: all of the search
    std::vector<std::string> parts;  ///< search_result::part of each shard: nothing is searched, they are added up
};

/// What a search collects besides its verdict.
struct wanted_results {
    bool examples = false;       ///< search_result::examples
    bool atomic_states = false;  ///< search_result::atomics
    bool used_orders = false;    ///< what reached_site has of them
};

struct search_options {
    search_strategy strategy;
    execution_bounds bounds;
    search_reductions reductions;
    search_resources resources;
    memory_model model = memory_model::rc11;  ///< engine_features::memory_models
    checkpoint_options checkpoint;
    order_mutant mutant;
    std::vector<acceptance> accept;  ///< violations that a search goes on behind
    std::optional<choices> replay;   ///< run this one execution only, and trace it
    search_shard shard;
    wanted_results wanted;
};

}  // namespace ordeal
