// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/facts/search_facts.hpp"
#include "ordeal/runtime/runtime.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::detail::graph {

/// An execution that is violated, and how hard it is to read.
struct counterexample {
    execution_graph graph;
    violation_kind kind = violation_kind::crash;
    std::string message;
    std::uint64_t difficulty = 0;
};

/// A graph with a future read whose promises are certified, and the patterns that it is of.
struct future_read_graph {
    execution_graph graph;
    std::vector<lb_site_names> patterns;
};

// Reasons for a search to begin again, see tally::refuted, of which search_facts has more.
inline constexpr const char* order_of_arrivals_is_seen = "the order of arrivals may be seen";
inline constexpr const char* order_of_sections_is_seen = "the order of critical sections may be seen";
inline constexpr const char* some_sizes_are_mixed = "some atomics are accessed in parts";
[[nodiscard]] constexpr bool is_in_search_facts(std::string_view refuted) noexcept {
    return refuted == order_of_arrivals_is_seen || refuted == order_of_sections_is_seen ||
           refuted == some_sizes_are_mixed;
}

/// What a search, or one process's part of it, has counted.
struct tally {
    std::uint64_t runs = 0;
    std::uint64_t executions = 0;
    std::uint64_t blocked = 0;
    bool bounded = false;  ///< some execution had more preemptions than were asked for
    graph::search_facts search_facts;
    std::map<std::string, std::uint64_t> outcomes;
    outcome_examples examples;
    std::vector<atomic_states> words;
    std::vector<reached_site> sites;
    std::vector<accepted_violation> accepted;
    std::optional<counterexample> found;
    /// Still to be explored, once all executions of RC11 are.
    std::vector<future_read_graph> future_read_graphs{};
    /// graph_reduction::refuted(); or, if nothing else is, a reason that is_in_search_facts().
    std::string refuted;

    /// Whether more of the search would add nothing: a violation was found, the code cannot be checked, the memory
    /// limit was reached, or what was learned of the code is refuted.
    [[nodiscard]] bool decides() const noexcept {
        return found || !search_facts.refused.empty() || search_facts.memory_bound || !refuted.empty();
    }

    void add(const tally& other);
    void keep_simpler(counterexample other);
    /// What a result has, too; not the violation, of which it has more.
    void copy_to(search_result& result) const;
};

/// Counts and the graphs still to be explored, as text; for another process and for a file.
struct part_of_search {
    tally counted;
    std::vector<execution_graph> work;
    std::vector<std::string> spinloop_sites{};  ///< spinloop_sites::names()
    std::string learned{};                      ///< graph_reduction::export_state()
    mixed_ranges mixed{};                       ///< search_options::mixed
    std::string reductions{};  ///< that the sender still has, of those that a search may give up; empty: as asked for
    std::string division{};    ///< of a shard: what divide() returned; empty: the search was not divided yet
    bool unfinished = false;   ///< of what a shard reports: something is left, which is not in `work`
};

[[nodiscard]] std::string serialise(const part_of_search& part);
/// Nothing when the text is not a whole part.
[[nodiscard]] std::optional<part_of_search> parse_part(std::string_view text);

}  // namespace ordeal::detail::graph
