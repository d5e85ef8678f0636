// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ordeal::detail::graph {

/// Which waits the notifications of an atomic may have woken. Every library compares and blocks in one step, totally
/// ordered with all notifications, and a woken thread sees what was stored before the notification.
class woken_waits {
public:
    explicit woken_waits(const run_state& run) : run_(run) {}

    /// Whether some notification has to wake a blocked wait. A notify_one() may have woken another wait, which has
    /// returned since; every value on which such a wait had blocked consumes one. All notifications are accounted for
    /// if each can be matched to a blocking of its own.
    [[nodiscard]] bool notified(const blocked::by_wait& waiter) const;
    /// Whether a notification exists that can have woken no other wait, whatever is added to the graph.
    [[nodiscard]] bool surely_notified(const blocked::by_wait& waiter) const;

private:
    /// The part of an atomic wait from blocking on a value to being woken by a notification.
    struct woken_block {
        std::size_t blocked_on;           ///< which wait, on which value
        std::vector<std::size_t> others;  ///< earlier notifications that must have woken other waits
    };
    class notification_matching;

    [[nodiscard]] bool is_for(const notification& call, event_id read) const;
    [[nodiscard]] coherence_position newest_known(const notification& call, const event& read) const;
    [[nodiscard]] bool precedes(std::size_t first, std::size_t second) const;
    [[nodiscard]] view before_blocking(const view& began, event_id on) const;
    [[nodiscard]] std::optional<coherence_position> block_ended_by(const notification& call,
                                                                   const atomic_wait& wait) const;
    [[nodiscard]] std::vector<woken_block> blocks_ended_by(std::size_t call,
                                                           const std::vector<atomic_wait>& waits) const;
    [[nodiscard]] std::vector<atomic_wait> all_waits() const;

    const run_state& run_;
};

}  // namespace ordeal::detail::graph
