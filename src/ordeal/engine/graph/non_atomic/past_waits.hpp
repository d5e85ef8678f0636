// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/execution_state.hpp"

#include <array>
#include <cstdint>

namespace ordeal::detail::graph {

/// Threads that go by what another one has done after a wait, with nothing that orders them behind the end of that
/// wait.
///
/// A wait may end spuriously. What its thread does then, up to where it waits again, is run, and compared with all
/// that others do at that time. If it comes to nothing, the thread is not followed on from there. So an access of it is
/// compared with none that could only be made because the thread has gone on: unless that is ordered behind the end of
/// the wait, it may be a race that nobody sees.
class past_waits {
public:
    explicit past_waits(const execution_state& run) : run_(run) {}

    /// Whether the running thread is such a one.
    [[nodiscard]] bool is_past_one();

private:
    [[nodiscard]] bool is_seen(const event& read) const;
    void find_needed();
    [[nodiscard]] bool waited_between(int thread_id, std::uint16_t ordered, std::uint16_t needed) const;

    const execution_state& run_;
    std::array<std::uint16_t, max_thread_ids> needed_{};  ///< so many events of each thread
};

}  // namespace ordeal::detail::graph
