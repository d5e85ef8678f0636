// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/events/event.hpp"
#include "ordeal/engine/graph/core/events/view.hpp"

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace ordeal::detail::graph {

/// What a long graph would have to be scanned for at each operation: the events of each thread, and the accesses to
/// each location, in coherence order and by thread. Holds only accesses that are complete: reads with their `rf`, and
/// writes with their position in coherence. The graph keeps it up to date.
class access_index {
public:
    /// The event comes last in its thread.
    void add(const event& added, event_id id);
    /// The read has its location and its `rf`; it is the last event of its thread.
    void complete_read(const std::vector<event>& events, event_id read);
    /// The write comes last in its thread; it is placed at `co`, before the writes that were there.
    void place(const std::vector<event>& events, event_id write, coherence_position co);

    /// Where a write that the graph has placed belongs among the writes that are here.
    [[nodiscard]] coherence_position position_for(const std::vector<event>& events, const event& write) const noexcept;

    /// The events of a thread in program order.
    [[nodiscard]] std::span<const event_id> path(std::size_t thread_id) const noexcept {
        return thread_id < paths_.size() ? std::span<const event_id>(paths_[thread_id]) : std::span<const event_id>();
    }
    /// The writes to `where` in coherence order; entry 0 is initial_write.
    [[nodiscard]] std::span<const event_id> coherence(location where) const noexcept;
    /// The latest write in coherence that `seen` has observed; initial_write: none.
    [[nodiscard]] event_id latest_seen(const std::vector<event>& events, location where,
                                       const view& seen) const noexcept;

private:
    // An access, and the latest write in coherence that its thread has observed up to it: later insertions into
    // coherence move both, and so do not change which one is the latest.
    struct access {
        event_index index;
        event_id latest;
    };
    struct accesses_of_thread {
        std::size_t thread_id;
        std::vector<access> all;
    };
    struct accesses_to_location {
        std::vector<event_id> order{initial_write};
        std::vector<accesses_of_thread> threads;
    };

    [[nodiscard]] std::vector<event_id>& path_of(std::size_t thread_id) {
        if (thread_id >= paths_.size()) paths_.resize(thread_id + 1);
        return paths_[thread_id];
    }
    [[nodiscard]] const accesses_to_location* find(location where) const noexcept;
    [[nodiscard]] accesses_to_location& at(location where);
    static void note(const std::vector<event>& events, accesses_to_location& to, const event& by, event_id latest);

    std::vector<std::vector<event_id>> paths_;
    std::unordered_map<location, accesses_to_location> locations_;
    // The location asked for last: as a rule the next question is about it, too.
    mutable location last_where_ = no_location;
    mutable const accesses_to_location* last_ = nullptr;
};

}  // namespace ordeal::detail::graph
