// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/memory_model.hpp"
#include "ordeal/engine/reductions.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::detail {

/// How the executions are explored.
enum class search_mode : std::uint8_t {
    automatic,    ///< everything; Relacy first raises a preemption bound, so that the first violation is a simple one
    full,         ///< everything, no bound
    preemptions,  ///< everything with at most `bound` preemptions
    random,       ///< `bound` random executions
    pct,   ///< `bound` executions under random priorities with `depth - 1` changes (Burckhardt et al., ASPLOS 2010)
    pos,   ///< `bound` executions by partial order sampling (Yuan, Yang, Gu, CAV 2018)
    surw,  ///< `bound` executions, uniformly interleaved at one location each (Zhao et al., ASPLOS 2025)
};

/// Whether a search of this mode makes its executions by chance.
[[nodiscard]] constexpr bool is_random(search_mode mode) noexcept {
    return mode == search_mode::random || mode == search_mode::pct || mode == search_mode::pos ||
           mode == search_mode::surw;
}

/// The choices of one execution, in the engine's own format; enough to run it again.
struct choices {
    std::string text;  ///< shell-safe characters; empty: the execution that takes the first choice everywhere

    bool operator==(const choices&) const = default;
};

/// Which executions are explored, and in which order.
struct search_strategy {
    search_mode mode = search_mode::automatic;
    std::uint64_t bound = 0;
    unsigned depth = 3;      ///< pct search only
    std::uint64_t seed = 0;  ///< of a search that is_random()
};

/// When a time limit of a wait comes, and a sleep ends, in a random execution. In a full search: at any moment.
enum class timeouts : std::uint8_t {
    any,   ///< at any moment
    late,  ///< when no thread can go on otherwise, the earliest first: time passes by that alone
};

/// Bounds on one execution: how often something repeatable may happen.
struct execution_bounds {
    unsigned spurious = 2;  ///< how often a weak compare-exchange may fail spuriously, for each thread
    unsigned reuse = 2;     ///< how often freed memory may be reused in an execution
    unsigned length = 0;    ///< operations in an execution; 0: the engine's default
    timeouts time_limits = timeouts::any;
};

/// Resources of a search.
struct search_resources {
    unsigned jobs = 1;         ///< processes that share one search
    double seconds = 0;        ///< time budget; 0: none
    std::uint64_t memory = 0;  ///< bytes that the processes of the search may use together; 0: no limit
    double hang_timeout = 10;  ///< real threads only: seconds without progress that count as a hang
};

/// The file that an interrupted search leaves, and resumes from.
struct checkpoint_options {
    std::string file;     ///< empty: none
    double seconds = 60;  ///< between two writes; 0: after every hundred runs
};

/// The code with other orders at some sites.
struct order_mutant {
    std::vector<order_override> overrides;
    bool all_overrides_reached = true;  ///< the verdict is inconclusive if the site of an override was not reached
};

/// One part of a search that is distributed over machines.
struct search_shard {
    unsigned index = 0;              ///< of `count`, from 1: only this part is searched
    unsigned count = 0;              ///< 0: the whole search
    std::vector<std::string> parts;  ///< search_result::part of each shard: nothing is searched, the parts are added up
};

/// What a search collects besides its verdict.
struct wanted_results {
    bool examples = false;       ///< search_result::examples
    bool atomic_states = false;  ///< search_result::atomics
    bool used_orders = false;    ///< reached_site::release_used and ::acquire_used
};

/// Addresses and sizes of atomic objects that are accessed in parts.
using mixed_ranges = std::map<std::uintptr_t, std::size_t>;

struct search_options {
    search_strategy strategy;
    execution_bounds bounds;
    search_reductions reductions;
    search_resources resources;
    memory_model model = default_memory_model;  ///< engine_features::memory_models
    checkpoint_options checkpoint;
    order_mutant mutant;
    std::vector<acceptance> accept;  ///< violations after which the search continues
    std::optional<choices> replay;   ///< run and trace only this execution
    search_shard shard;
    wanted_results wanted;
    mixed_ranges mixed{};  ///< of the code on trial, as far as the search has learned; kept by the engine `graph`
};

}  // namespace ordeal::detail
