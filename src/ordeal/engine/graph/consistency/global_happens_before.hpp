// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Whether the events of a graph have a global total order: preserved program order, external reads-from, coherence and
/// from-reads are acyclic (Alglave, Maranget, Tautschnig, "Herding Cats", TOPLAS 2014). Creation and end of a thread
/// order like program order.
class global_happens_before {
public:
    /// Whether an event drains the store buffer: earlier stores of its thread are in memory before it, and later events
    /// come after it. Other events keep program order, except that a read may precede earlier stores.
    using drains = bool (*)(const event& which, const event_views& views);

    /// Ignores events that have not been run, and a write that has no position in coherence yet.
    [[nodiscard]] bool exists(const execution_graph& graph, const views_table& views, drains rule);

private:
    static constexpr event_id nothing = initial_write;

    /// Up to an event of a thread: the last event that a store has to follow, other than stores, and the last store.
    struct reached {
        event_id issued = nothing;
        event_id stored = nothing;
    };
    struct access {
        location where;
        coherence_position co;
        bool reads;
        event_id id;
        auto operator<=>(const access&) const = default;
    };

    void add(event_id before, event_id after);
    void add(const reached& before, event_id after);
    void add_ppo(const execution_graph& graph, const views_table& views, drains rule);
    void add_thread_order(const execution_graph& graph, const views_table& views);
    void add_communications(const execution_graph& graph);
    [[nodiscard]] bool acyclic();

    thread_paths threads_;  ///< of events that have been run
    std::vector<reached> reached_;
    std::vector<access> accesses_;
    std::vector<event_id> reads_;
    std::vector<std::vector<event_id>> after_;
    std::vector<std::uint32_t> before_;  ///< numbers of predecessors
    std::vector<event_id> free_;
};

}  // namespace ordeal::detail::graph
