// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/difficulty.hpp"

#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ordeal::detail::graph {

namespace {

/// The order in which a run goes through a graph: each thread as far as it can, and then the next.
class run_order {
public:
    explicit run_order(const execution_graph& graph) : graph_(graph), done_(graph.size(), false), paths_(graph) {}

    [[nodiscard]] std::uint64_t changes() {
        std::uint64_t result = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t thread_id = 1; thread_id < paths_.size(); ++thread_id) {
                if (!advance(thread_id)) continue;
                moved = true;
                ++result;
            }
        }
        return result;
    }

private:
    // Whether the thread made any step.
    bool advance(std::size_t thread_id) {
        std::size_t& next = next_[thread_id];
        const std::size_t before = next;
        for (; next < paths_[thread_id].size(); ++next) {
            const event_id id = paths_[thread_id][next];
            const event& each = graph_[id];
            if (each.reads_event() && !each.is_future_read() && !done_[each.read().rf]) break;
            done_[id] = true;
        }
        return next != before;
    }

    const execution_graph& graph_;
    std::vector<bool> done_;
    thread_paths paths_;
    std::array<std::size_t, max_thread_ids> next_{};
};

// Reads of what is not the newest, memory that was there before, waits that end spuriously.
std::uint64_t surprises(const execution_graph& graph) {
    return static_cast<std::uint64_t>(std::ranges::count_if(graph.events(), [&](const event& each) {
        if (!each.is_read()) return each.takes_freed_block() || each.is_spurious();
        return graph.co_max_for(each) != each.read().rf;
    }));
}

}  // namespace

std::uint64_t difficulty(const execution_graph& graph) {
    return run_order(graph).changes() << 40 | surprises(graph) << 20 | graph.size();
}

}  // namespace ordeal::detail::graph
