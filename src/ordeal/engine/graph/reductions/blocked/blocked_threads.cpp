// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/blocked/blocked_threads.hpp"

#include <variant>

namespace ordeal::detail::graph {

bool blocked_threads::is_permanent() const {
    const event_id last = run_.self().path.back();
    const event& which = (*run_.graph)[last];
    return which.is_read() && (which.is_spurious() || run_.graph->is_unrevisitable(last));
}

// If nothing is sure to wake an atomic wait, it may be a deadlock.
bool blocked_threads::abandons_blocked(const blocking& blocking) {
    if (!enabled() || !run_.strategy->explores()) return false;
    if (const auto* const wait = std::get_if<blocked::by_wait>(&blocking.why)) {
        return is_permanent() && woken_waits_.surely_notified(*wait);
    }
    if (!blocking.iteration_begin || blocking.touches_first || *blocking.iteration_begin == run_.self().next)
        return false;
    const bool only_reads = *blocking.iteration_begin + 1U >= run_.self().only_reads_since;
    return only_reads && is_permanent();
}

}  // namespace ordeal::detail::graph
