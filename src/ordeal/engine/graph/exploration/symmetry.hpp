// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/events/execution_graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// Threads that a scenario declares interchangeable. Executions that differ by an exchange of such threads are one class,
/// and the one whose threads come in order is its representative: threads are compared by what they do, one operation
/// after the other, by the place in coherence of what is read and written.
///
/// A graph may be left out when nothing that it can still become is a representative. That is so when two threads are in
/// the wrong order by operations that no revisit can delete or change any more.
class symmetry {
public:
    /// Threads of the scenario, from 0.
    explicit symmetry(const std::vector<int>& threads);

    [[nodiscard]] bool any() const noexcept { return members_.size() > 1; }

    [[nodiscard]] bool leads_to_a_representative(const execution_graph& graph);
    /// For the graph of an execution that has ended.
    [[nodiscard]] bool is_representative(const execution_graph& graph);

private:
    [[nodiscard]] bool in_order(const execution_graph& graph);
    [[nodiscard]] bool foreign(const event& each) const;
    void collect(const execution_graph& graph);
    void find_settled(const execution_graph& graph);
    void settle(const execution_graph& graph, event_id id);

    std::vector<std::uint8_t> members_;  // numbers, ascending
    std::array<std::vector<event_id>, max_thread_ids> paths_;
    std::vector<bool> settled_;  // no revisit can delete or change it
};

}  // namespace ordeal::graph
