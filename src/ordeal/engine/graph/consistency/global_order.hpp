// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::graph {

/// Whether all events of a graph have one order, in which memory sees them: program order, as far as a model keeps it, is
/// acyclic together with reads-from between threads, coherence and from-reads (Alglave, Maranget, Tautschnig, "Herding
/// Cats", TOPLAS 2014). The creation and the end of a thread order as program order does.
class global_order {
public:
    /// Whether an event waits until the stores before it in its thread are in memory, and what comes after it waits for it.
    /// All others keep their order but for this: a read does not wait for a store.
    using drains = bool (*)(const event& which, const event_views& views);

    /// Events that have not been run, and a write without a place, are not looked at.
    [[nodiscard]] bool exists(const execution_graph& graph, const views_table& views, drains rule);

private:
    static constexpr event_id nothing = initial_write;

    /// Up to an event of a thread: the last that a store waits for beside stores, and the last store.
    struct reached {
        event_id issued = nothing;
        event_id stored = nothing;
    };
    struct access {
        location where;
        std::uint16_t co;
        bool reads;
        event_id id;
        auto operator<=>(const access&) const = default;
    };

    void add(event_id before, event_id after);
    void add(const reached& before, event_id after);
    void keep_program_order(const execution_graph& graph, const views_table& views, drains rule);
    void keep_order_between_threads(const views_table& views);
    void keep_order_of_accesses(const execution_graph& graph);
    [[nodiscard]] bool acyclic();

    thread_paths threads_;  ///< events that have been run
    std::vector<reached> reached_;
    std::vector<access> accesses_;
    std::vector<std::vector<event_id>> after_;
    std::vector<std::uint32_t> before_;  ///< how many
    std::vector<event_id> free_;
};

}  // namespace ordeal::graph
