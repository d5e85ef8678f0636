// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/execution_state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::graph {

/// Which waits the notifications of an atomic may have woken. Every library compares and blocks in one step, in one order
/// with all notifications, and a thread that is woken sees what was stored before the notification.
class woken_waits {
public:
    explicit woken_waits(const execution_state& run) : run_(run) {}

    /// Whether some notification has to wake a wait that is blocked. One that wakes a single wait may have gone to another,
    /// which has gone on since; each value that such a wait had blocked on took one. The notifications are all out of the
    /// way if each can be given a turn of such a wait of its own.
    [[nodiscard]] bool notified(const blocked::by_wait& waiter) const;
    /// Whether one does that can have gone to no other, whatever else there will be.
    [[nodiscard]] bool surely_notified(const blocked::by_wait& waiter) const;

private:
    /// From where an atomic wait blocked on a value to where a notification woke it.
    struct woken_block {
        std::size_t blocked_on;           ///< of which wait, on which value
        std::vector<std::size_t> others;  ///< earlier notifications that must have gone elsewhere
    };
    class notification_matching;

    [[nodiscard]] bool is_for(const notification& call, event_id read) const;
    [[nodiscard]] std::uint16_t newest_known(const notification& call) const;
    [[nodiscard]] bool precedes(std::size_t first, std::size_t second) const;
    [[nodiscard]] view before_blocking(const view& began, event_id on) const;
    [[nodiscard]] std::optional<std::uint16_t> block_ended_by(const notification& call, const atomic_wait& wait) const;
    [[nodiscard]] std::vector<woken_block> blocks_ended_by(std::size_t call,
                                                           const std::vector<atomic_wait>& waits) const;
    [[nodiscard]] std::vector<atomic_wait> all_waits() const;

    const execution_state& run_;
};

}  // namespace ordeal::graph
