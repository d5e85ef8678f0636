// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::detail::graph {

/// What the running thread depends on (porf) without being ordered after it (hb), and whether another one has waited
/// there. If that wait ended spuriously and redundantly, its thread is not followed, so a race with it could be missed.
class past_waits {
public:
    explicit past_waits(const run_state& run) : run_(run) {}

    /// Of how many events of each thread the running one knows, by id. Who has come to a condition variable
    /// when is not known to anybody.
    [[nodiscard]] const std::array<event_index, max_thread_ids>& known();
    /// Another execution, or another point of it.
    void forget() noexcept { found_at_ = {}; }
    /// Whether the thread has waited in these of its events, and gone on.
    [[nodiscard]] bool waited_between(int thread_id, event_index ordered, event_index needed) const;

private:
    [[nodiscard]] bool is_seen(const std::vector<event_id>& path, std::size_t place) const;
    void find_needed();

    const run_state& run_;
    /// Where find_needed() was called last. Until the thread has another event, or joins one, it knows of no more.
    struct point {
        int thread_id;
        event_index events;
        view hb;
    };
    std::optional<point> found_at_;
    std::array<event_index, max_thread_ids> needed_{};  ///< so many events of each thread
};

}  // namespace ordeal::detail::graph
