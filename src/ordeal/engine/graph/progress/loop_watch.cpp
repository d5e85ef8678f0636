// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/progress/loop_watch.hpp"

namespace ordeal::graph {

void loop_watch::note(site_id where, std::uint16_t event) { visits_.push_back({where, false, 0, event, {}}); }

// The newest visit that had the state: a turn is no longer than it has to be.
std::optional<loop_watch::visit> loop_watch::note(site_id where, std::uint16_t event, std::uint64_t state,
                                                  const thread_clock& clock) {
    std::optional<visit> before;
    for (auto each = visits_.rbegin(); each != visits_.rend() && !before; ++each) {
        if (each->compared && each->where == where && each->state == state && each->clock.alike(clock)) before = *each;
    }
    visits_.push_back({where, true, state, event, clock});
    return before;
}

}  // namespace ordeal::graph
