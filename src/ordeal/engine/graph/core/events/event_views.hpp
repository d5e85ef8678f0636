// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/execution_graph.hpp"
#include "ordeal/runtime/site.hpp"

#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// What a run computes about an event of its graph; not kept between runs.
struct event_views {
    view hb;       ///< happens-before, the event itself included
    view porf;     ///< program order and reads-from, the event itself included
    view before;   ///< of a read: happens-before without what it acquires
    view release;  ///< of a write: what happens before an acquire that reads from it
    std::uint32_t step = 0;
    site_id site = no_site;
    bool locked = false;  ///< a read by an operation that may write, whether it does or not
    bool done = false;    ///< run in this execution

    /// Equivalent to assigning a new object, but cheaper.
    void renew() noexcept {
        for (view* const each : {&hb, &porf, &before, &release}) each->clear();
        step = 0;
        site = no_site;
        locked = done = false;
    }
};

using views_table = std::vector<event_views>;

}  // namespace ordeal::detail::graph
