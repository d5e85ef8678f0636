// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ordeal::detail::graph {

/// Detects an access that depends on (porf), but is not ordered after (hb), what another thread did after a wait. If
/// that wait ended spuriously and redundantly, the thread is not followed, so a race with it could be missed.
class past_waits {
public:
    explicit past_waits(const run_state& run) : run_(run) {}

    /// Whether the running thread now makes such an access.
    [[nodiscard]] bool is_past_one();
    /// Of how many events of each thread the running one knows, by id. Who has come to a condition variable
    /// when is not known to anybody.
    [[nodiscard]] const std::array<event_index, max_thread_ids>& known() {
        find_needed();
        return needed_;
    }

private:
    [[nodiscard]] bool is_seen(const std::vector<event_id>& path, std::size_t place) const;
    void find_needed();
    [[nodiscard]] bool waited_between(int thread_id, event_index ordered, event_index needed) const;

    const run_state& run_;
    std::array<event_index, max_thread_ids> needed_{};  ///< so many events of each thread
};

}  // namespace ordeal::detail::graph
