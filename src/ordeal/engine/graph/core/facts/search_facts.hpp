// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/pruned_accesses.hpp"
#include "ordeal/engine/search_options.hpp"

#include <compare>
#include <map>
#include <set>
#include <string>

namespace ordeal::detail::graph {

/// Sites of a load-buffering pattern, see consistency/load_buffering.hpp: "load at slot.hpp:12".
struct lb_site_names {
    bool only_by_letter = false;  ///< C++20 allows it, processors do not
    std::string read;             ///< may read from `source`
    std::string promised;         ///< if this later write of its thread is made first
    std::string source;

    auto operator<=>(const lb_site_names&) const = default;
};

/// What a search found beyond single executions. Each bound that was reached keeps a verdict from being *held*;
/// exploration_bounds() lists all of them.
struct search_facts {
    bool spurious_bound = false;   ///< what may fail spuriously could have failed so once more
    bool loop_bound = false;       ///< a loop with a yield was not followed further
    bool iteration_bound = false;  ///< a loop whose iterations read the same was not explored in all ways
    bool unchecked_order = false;  ///< a long execution left out what would have taken a check of all of it
    bool length_bound = false;     ///< an execution was too long to be followed to its end
    bool lock_bound = false;       ///< a thread that acquires and releases locks was not followed further
    bool time_bound = false;       ///< a loop with timed waits was not followed further
    bool late_timeouts = false;    ///< time has passed, and only when no thread could go on otherwise
    bool clock_bound = false;      ///< a loop was not followed until a clock ends it
    bool wake_up_bound = false;    ///< a wait could have returned spuriously once more
    bool loop_races = false;       ///< an access may race with an iteration that was left out
    bool reuse_bound = false;      ///< freed memory could have been reused once more
    bool fence_assumed = false;    ///< assembler was taken for a fence of C++
    bool order_assumed = false;  ///< freed memory could have been reused by a thread that is not ordered after the free
    bool id_bound = false;       ///< the id of a finished thread could have been reused
    bool memory_bound = false;   ///< the search reached its memory limit
    bool block_bound = false;    ///< more blocks of one size could have been reused than were tried
    std::map<std::string, std::string> limits;  ///< other limits of the code on trial, in words, and the first site
    std::set<lb_site_names> lb_patterns;        ///< what load buffering could change
    graph::pruned_accesses pruned_accesses;     ///< what `loop_races` follows from
    bool threads_shared_object = false;  ///< two threads accessed one object, not ordered by creation and joining alone
    bool concurrent = false;             ///< two threads accessed non-atomic data, not ordered by creation and joining
    bool synchronised = false;           ///< a thread used an atomic or a lock while another existed
    bool false_assumption = false;       ///< some execution ended at an assumption that does not hold
    bool order_of_arrivals = false;      ///< may be seen by the code on trial, see arrivals
    bool order_of_sections = false;      ///< of critical sections, may be seen likewise, see lock_elision
    mixed_ranges mixed;                  ///< objects that are accessed in parts, and that the search does not know yet
    std::string part_access;             ///< where a part of an object is accessed; empty: nowhere
    int threads = 0;                     ///< the most in one execution; 0: no thread ran
    // Both together make `order_of_sections`. One process knows both of an execution that has both, so they are not
    // added up.
    bool elided_locks = false;  ///< some lock was no event
    bool needs_locks = false;   ///< the code on trial has done what may depend on the order of critical sections
    std::string refused;        ///< what the code on trial uses that this model lacks; empty: nothing

    void add(const search_facts& other);
    /// Whether a search that found this may have left executions out.
    [[nodiscard]] bool met_a_bound() const;
    /// Of several sites the first by name, so that every search reports the same.
    void add_limit(const std::string& what, const std::string& where);
};

}  // namespace ordeal::detail::graph
