// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace ordeal::graph {

/// What a search found out beyond single executions. Each bound that was met keeps a verdict from being *held*.
struct findings {
    bool spurious_bound = false;  ///< a weak compare-exchange could have failed spuriously once more
    bool loop_bound = false;      ///< a loop with a yield was not followed further
    bool turn_bound = false;      ///< a loop that finds the same each time was not followed in all ways
    bool length_bound = false;    ///< an execution was not followed to its end, it was so long
    bool lock_bound = false;      ///< a thread that takes locks and gives them back was not followed further
    bool time_bound = false;      ///< a loop with waits that come to their limit was not followed further
    bool clock_bound = false;     ///< a loop was not followed until a clock ends it
    bool wake_up_bound = false;   ///< a wait on a condition variable could have ended spuriously once more
    bool reuse_bound = false;     ///< freed memory could have come back once more
    bool order_assumed = false;   ///< freed memory could have come back to a thread that nothing orders after the free
    bool id_bound = false;        ///< the id of a thread that has ended could have been given to another
    bool block_bound = false;     ///< more blocks of one size could have come back than were tried
    std::map<std::string, std::string> limits;  ///< what else the code on trial came to, in words, and the first place
    bool threads_met = false;                   ///< two threads have touched one object
    std::string refused;  ///< what the code on trial uses that this model does not have; empty: nothing

    void add(const findings& other);
    /// Whether a search that found this may have left executions out.
    [[nodiscard]] bool met_a_bound() const;
    void add_limit(const std::string& what, const std::string& where);
};

/// All that is found once and for all, by name: what is not among them would be lost between processes.
inline constexpr std::array<std::pair<const char*, bool findings::*>, 13> named_bounds{{
    {"spurious_bound", &findings::spurious_bound},
    {"loop_bound", &findings::loop_bound},
    {"turn_bound", &findings::turn_bound},
    {"length_bound", &findings::length_bound},
    {"lock_bound", &findings::lock_bound},
    {"time_bound", &findings::time_bound},
    {"clock_bound", &findings::clock_bound},
    {"wake_up_bound", &findings::wake_up_bound},
    {"threads_met", &findings::threads_met},
    {"reuse_bound", &findings::reuse_bound},
    {"order_assumed", &findings::order_assumed},
    {"block_bound", &findings::block_bound},
    {"id_bound", &findings::id_bound},
}};

inline bool findings::met_a_bound() const {
    return !limits.empty() || std::ranges::any_of(named_bounds, [this](const auto& each) {
        const bool is_bound = each.second != &findings::threads_met && each.second != &findings::order_assumed;
        return is_bound && this->*each.second;
    });
}

// Of several places the first by name, so that every search says the same.
inline void findings::add_limit(const std::string& what, const std::string& where) {
    const auto [known, added] = limits.emplace(what, where);
    if (!added && where < known->second) known->second = where;
}

inline void findings::add(const findings& other) {
    for (const auto& [name, bound] : named_bounds) this->*bound |= other.*bound;
    for (const auto& [what, where] : other.limits) add_limit(what, where);
    if (refused.empty()) refused = other.refused;
}

}  // namespace ordeal::graph
