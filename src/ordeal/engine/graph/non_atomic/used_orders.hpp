// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/facts/site_coverage.hpp"
#include "ordeal/engine/graph/core/state/run_state.hpp"

#include <cstdint>

namespace ordeal::detail::graph {

/// Which atomic operations provide, through their orders, a synchronisation edge that orders conflicting non-atomic
/// accesses: this is what an order is for, apart from the values of other atomics. Accesses ordered by creating and
/// joining threads need none.
///
/// Asked of each such pair when the later access is made. An edge counts if the earlier access happens before its write
/// and its read happens before the later access, whatever else orders the two.
class used_orders {
public:
    used_orders(const run_state& run, site_coverage& coverage) : run_(run), site_coverage_(coverage) {}

    void watch(bool wanted) noexcept { wanted_ = wanted; }
    [[nodiscard]] bool wanted() const noexcept { return wanted_ && !run_.on_main_thread(); }

    /// An access by the running thread conflicts with an earlier one in this epoch of another thread.
    void note_pair(int earlier, event_index epoch);
    /// An access by the running thread to an object of code over the policy.
    void note_access(const object& target, bool writes);

private:
    void note_edge(event_id read, int earlier, event_index epoch);
    [[nodiscard]] bool note_release(event_id write, int earlier, event_index epoch);
    void note_acquire(event_id read);

    const run_state& run_;
    site_coverage& site_coverage_;
    bool wanted_ = false;
};

}  // namespace ordeal::detail::graph
