// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>

namespace ordeal::graph {

/// What load buffering could change, as consistency/load_buffering.hpp finds it: "load at slot.hpp:12".
struct buffered_load_sites {
    bool only_in_cpp20 = false;  ///< of C++20 alone
    std::string read;            ///< may read from `source`
    std::string promised;        ///< if this write, which comes later in its thread, is made first
    std::string source;

    auto operator<=>(const buffered_load_sites&) const = default;
};

/// What a search found out beyond single executions. Each bound that was met keeps a verdict from being *held*; exploration_bounds()
/// has them all.
struct findings {
    bool spurious_bound = false;   ///< a weak compare-exchange could have failed spuriously once more
    bool loop_bound = false;       ///< a loop with a yield was not followed further
    bool iteration_bound = false;  ///< a loop that finds the same each time was not followed in all ways
    bool length_bound = false;     ///< an execution was not followed to its end, it was so long
    bool lock_bound = false;       ///< a thread that takes locks and gives them back was not followed further
    bool time_bound = false;       ///< a loop with waits that come to their limit was not followed further
    bool clock_bound = false;      ///< a loop was not followed until a clock ends it
    bool wake_up_bound = false;    ///< a wait on a condition variable could have ended spuriously once more
    bool wake_up_races = false;    ///< a write may race with what a thread does when a wait of it ends for no reason
    bool reuse_bound = false;      ///< freed memory could have come back once more
    bool order_assumed = false;    ///< freed memory could have come back to a thread that nothing orders after the free
    bool id_bound = false;         ///< the id of a thread that has ended could have been given to another
    bool memory_bound = false;     ///< the search came to as much memory as it may take
    bool block_bound = false;      ///< more blocks of one size could have come back than were tried
    std::map<std::string, std::string> limits;  ///< what else the code on trial came to, in words, and the first place
    std::set<buffered_load_sites> buffered;     ///< what load buffering could change
    bool threads_shared_object =
        false;                  ///< two threads have touched one object, and not only creation and join order that
    bool concurrent = false;    ///< two threads have accessed plain data at once: creation and join order neither first
    bool synchronised = false;  ///< a thread has used an atomic or a lock while another was there
    int threads = 0;            ///< the most that one execution had; 0: no thread was run
    std::string refused;        ///< what the code on trial uses that this model does not have; empty: nothing

    void add(const findings& other);
    /// Whether a search that found this may have left executions out.
    [[nodiscard]] bool met_a_bound() const;
    /// Of several places the first by name, so that every search says the same.
    void add_limit(const std::string& what, const std::string& where);
};

}  // namespace ordeal::graph
