// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// The threads that one search has met: those of the scenario, and those that threads create. A thread is who created it
/// and as which of its threads; it has the same id in every graph of the search. Threads come in one order, whatever
/// their numbers: creators first, then what they created.
class thread_tree {
public:
    explicit thread_tree(int fixed);

    /// The highest id in use.
    [[nodiscard]] int count() const noexcept { return count_; }
    /// Whether it is a thread of the scenario, or the one outside all threads.
    [[nodiscard]] bool is_fixed(int thread_id) const noexcept {
        return origins_[static_cast<std::size_t>(thread_id)].creator == main_thread_id;
    }
    /// All numbers but that of construction and finish, in order.
    [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }

    /// The `ordinal`-th thread, from 0, that `creator` creates; 0 when there is no id left.
    [[nodiscard]] int created_by(int creator, unsigned ordinal);

    /// Where a thread is in the tree: as which of the threads of each creator, beginning with one of the scenario.
    [[nodiscard]] std::vector<unsigned> path_of(int thread_id) const;
    /// The thread there; 0: it is none, or there is no id left.
    [[nodiscard]] int at(const std::vector<unsigned>& path);

    /// Gives the threads of a graph that another process made the numbers that they have here. False when that is no
    /// graph of threads that were created before they ran, or there are too many.
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

}  // namespace ordeal::graph
