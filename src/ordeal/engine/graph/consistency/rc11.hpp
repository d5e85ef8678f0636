// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/relation.hpp"
#include "ordeal/engine/graph/consistency/seq_cst_events.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <cstddef>

namespace ordeal::detail::graph {

/// The axiom of RC11 beyond coherence and atomicity: psc, the partial order on seq_cst events, is acyclic (Lahav,
/// Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017, where po, co and fr are sb,
/// mo and rb). Ignores events that have not been run, and a write that has no position in coherence yet.
class rc11_check : seq_cst_events {
public:
    [[nodiscard]] bool allows(const execution_graph& graph, const views_table& views);

private:
    // An allocation is no event of the memory model and adds no order between the events around it.
    [[nodiscard]] bool is_allocation(std::size_t id) const { return at(id).kind() == event_kind::allocation; }
    [[nodiscard]] bool same_location(std::size_t a, std::size_t b) const;

    void relate();
    void relate_by_po(std::size_t b);
    void relate_at_location(std::size_t a, std::size_t b);
    void relate_by_hb(std::size_t a);
    [[nodiscard]] bool known_before(std::size_t id, std::size_t thread_id, event_index index) const;
    void po_after_at_other_location(std::size_t a, std::size_t d);
    [[nodiscard]] std::size_t next_at_other_location(std::size_t id) const;

    void order_all();
    [[nodiscard]] bool is_psc_to_fence(std::size_t a, std::size_t fence) const;

    relation po_neq_loc_, scb_, eco_, from_, hb_eco_, psc_;
};

}  // namespace ordeal::detail::graph
