// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event_views.hpp"
#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/engine/graph/core/events/maximality.hpp"
#include "ordeal/engine/graph/core/run/strategy.hpp"

#include <cstddef>
#include <vector>

namespace ordeal::detail::graph {

/// Backward revisits (Kokologiannakis et al., "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022).
class backward_revisits {
public:
    /// Emits, for every read that may read from the new write `write` though it was added before, the graph in which it
    /// does; or some of them, once the strategy is_over(). False: a read that repeats many before it was left out.
    /// `waiting_has_no_events`: false: a disabled thread has the read of its operation all the same.
    bool emit(const execution_graph& graph, const views_table& views, event_id write, bool waiting_has_no_events,
              strategy& sink);

private:
    [[nodiscard]] std::size_t first_revisitable(const execution_graph& graph, event_id write, const view& porf);

    maximality maximality_;  ///< filled anew by each write
    // Filled anew by each revisit.
    execution_graph revisited_;
    execution_graph placed_;
    std::vector<coherence_position> co_candidates_;
    execution_graph::renumbering tables_;
};

}  // namespace ordeal::detail::graph
