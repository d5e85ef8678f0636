// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races that only an iteration which is left out could have.
//
// An iteration that returns its thread to an earlier state, of a loop or of a wait that ends spuriously, is followed by
// nothing: the thread goes on in executions without it. If it has made non-atomic accesses that the thread had not made
// before, they are compared with all that others do in the graph in which the thread is blocked. What others do only
// because the thread has gone on is not in that graph. Where such an access conflicts with one of the iteration, and
// nothing orders it behind what the thread did after the iteration, it may be a race that nobody sees: then the verdict
// has a limit.
#pragma once

#include "ordeal/engine/graph/core/state/iteration_accesses.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace ordeal::detail::graph {

/// Non-atomic bytes that are accessed, by a thread or by another one that goes by what the thread did.
struct loop_access {
    int thread_id = 0;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    access_kind kind{};
    /// How many events the thread had before the iteration; or how many of its events the other thread goes by.
    unsigned events = 0;
    unsigned ordered = 0;  ///< how many of `events` happen before the access of the other thread

    auto operator<=>(const loop_access&) const = default;
};

struct hash_of_loop_access {
    std::size_t operator()(const loop_access& each) const noexcept {
        const auto thread = static_cast<std::uint64_t>(each.thread_id);
        return hash_of_number(each.address ^ each.size << 48,
                              thread << 48 | std::uint64_t{each.ordered} << 24 | each.events);
    }
};

struct loop_accesses {
    static constexpr std::size_t most = 20'000;

    std::unordered_set<loop_access, hash_of_loop_access> some;
    bool too_many = false;  ///< there are more

    void add(const loop_access& what) {
        if (some.size() < most) {
            some.insert(what);
        } else {
            too_many = true;
        }
    }
    void add(const loop_accesses& other) {
        for (const loop_access& each : other.some) add(each);
        too_many |= other.too_many;
    }
    [[nodiscard]] bool is_empty() const noexcept { return some.empty() && !too_many; }
};

struct pruned_accesses {
    loop_accesses pruned;     ///< of iterations that were left out, first ones of their thread
    loop_accesses unordered;  ///< of others

    void add(const pruned_accesses& other) {
        pruned.add(other.pruned);
        unordered.add(other.unordered);
    }
    /// Whether some iteration may race with an access that it was not compared with.
    [[nodiscard]] bool may_race() const;
};

}  // namespace ordeal::detail::graph
