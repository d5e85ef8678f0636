// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// The threads seen by one search: those of the scenario and those that threads create. A thread is identified by its
/// creator and its number among the threads of that creator, so it has the same id in every graph of the search. The
/// order of threads does not depend on ids: creators come before the threads that they created.
///
/// Some threads have no id of their own: they follow a thread that their creator has joined under its id, as if they
/// were the rest of that thread. The two are one in program order, which adds nothing to happens-before.
class thread_tree {
public:
    /// Only where a thread would have an id above this one, it follows another if it can. So the events of programs of
    /// few threads are told apart by their threads, and the threads by what they do.
    static inline int ids_given_once = 31;  ///< less in tests

    explicit thread_tree(int fixed);

    /// The highest id in use.
    [[nodiscard]] int count() const noexcept { return count_; }
    /// Whether it is a thread of the scenario, or the main thread.
    [[nodiscard]] bool is_fixed(int thread_id) const noexcept {
        return origins_[static_cast<std::size_t>(thread_id)].creator == main_thread_id;
    }
    [[nodiscard]] int creator_of(int thread_id) const noexcept {
        return origins_[static_cast<std::size_t>(thread_id)].creator;
    }
    /// All ids but that of construction and finish(), in order.
    [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }

    /// The `ordinal`-th thread with an id of its own, from 0, that `creator` creates; 0: it has none up to `highest`.
    [[nodiscard]] int created_by(int creator, unsigned ordinal, int highest = static_cast<int>(most_threads));

    /// The path of a thread in the tree: the creation number at each level, beginning with a thread of the scenario.
    [[nodiscard]] std::vector<unsigned> path_of(int thread_id) const;
    /// The thread at this path; 0: there is none, or no id is left.
    [[nodiscard]] int at(const std::vector<unsigned>& path);

    /// Renumbers the threads of a graph from another process to the ids of this one. False if a thread runs in that
    /// graph before it was created, or there are too many.
    [[nodiscard]] bool adopt(execution_graph& graph);

private:
    struct origin {
        int creator = main_thread_id;
        unsigned ordinal = 0;
    };

    void sort();
    static void forget_values(execution_graph& graph);

    int count_;
    std::array<origin, max_thread_ids> origins_{};
    std::vector<int> order_;
};

}  // namespace ordeal::detail::graph
