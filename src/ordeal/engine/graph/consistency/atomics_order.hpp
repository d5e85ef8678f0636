// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/consistency/relation.hpp"
#include "ordeal/engine/graph/consistency/seq_cst_events.hpp"
#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"

#include <cstddef>

namespace ordeal::detail::graph {

/// The axiom of C++20 beyond coherence and atomicity: the seq_cst operations have a single total order S with which
/// strongly happens before and coherence-ordered before are consistent ([atomics.order]/3 to 5, [intro.races]/12).
/// Ignores events that have not been run, and a write that has no position in coherence yet.
///
/// It excludes more than RC11's psc: psc orders a seq_cst access that is before a weaker write in coherence neither
/// before a seq_cst read of this write, nor before a seq_cst fence after one. Implementations show some of that, x86-64
/// among them (LWG issue 3941). It excludes no less. psc has one edge that S lacks, from a fence to a seq_cst access
/// that happens after it. A cycle of psc leaves what happens after the fence by coherence-ordered before, and S orders
/// the fence before the event that is reached so.
class atomics_order_check : seq_cst_events {
public:
    [[nodiscard]] bool allows(const execution_graph& graph, const views_table& views);

private:
    void find_coherence_ordered();
    void order_all();
    [[nodiscard]] bool strongly_happens_before(std::size_t a, std::size_t b) const;
    [[nodiscard]] const view& hb_before(std::size_t id) const;

    relation coherence_ordered_, from_, order_;
};

}  // namespace ordeal::detail::graph
