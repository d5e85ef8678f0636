// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/explorer/preemptions.hpp"

#include "ordeal/engine/graph/core/events/thread_paths.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ordeal::detail::graph {

namespace {

/// How far each thread is, and which one ran last; 0 before the first.
template <std::size_t Ids>
struct position_of {
    std::array<event_index, Ids> done{};
    std::size_t last = 0;

    // Any order will do, and this one compares many threads at once.
    bool operator<(const position_of& other) const noexcept {
        using words = std::array<std::uint64_t, sizeof(position_of) / sizeof(std::uint64_t)>;
        return std::bit_cast<words>(*this) < std::bit_cast<words>(other);
    }
};

/// A search of the runs of a graph by rising number of preemptions. It keeps many positions, which are small where few
/// threads have events.
template <std::size_t Ids>
class run_search {
    using position = position_of<Ids>;
    static_assert(std::has_unique_object_representations_v<position>);

public:
    run_search(const execution_graph& graph, const thread_paths& paths)
        : graph_(graph), wakes_(graph.size()), paths_(paths) {
        for (std::size_t id = 0; id < graph.size(); ++id) {
            const event& each = graph[static_cast<event_id>(id)];
            if (each.is_read() && may_block(each.read().form) && each.read().rf != initial_write)
                wakes_[each.read().rf] = true;
        }
    }

    [[nodiscard]] bool within(unsigned bound) {
        reach(position(), 0, false);
        while (!open_.empty()) {
            const auto [at, cost] = open_.front();
            open_.pop_front();
            if (best_[at] < cost) continue;
            if (finished(at)) return true;
            for (std::size_t thread_id = 1; thread_id < paths_.size(); ++thread_id) {
                if (!has_more(at, thread_id) || !enabled(at, thread_id)) continue;
                const bool preempts =
                    at.last != 0 && at.last != thread_id && has_more(at, at.last) && !waits(at, at.last);
                if (preempts && cost == bound) continue;
                position next = at;
                ++next.done[thread_id];
                next.last = thread_id;
                reach(run_on(next), cost + (preempts ? 1 : 0), preempts);
            }
        }
        return false;
    }

private:
    // The thread that ran last goes on for as long as it can: whatever comes between could come after as well. No event
    // that is done keeps another one from being done. It may be better to stop only before one that another thread
    // waits for, which is not preempted as long as it waits.
    [[nodiscard]] position run_on(position at) const {
        while (at.last != 0 && has_more(at, at.last) && enabled(at, at.last)) {
            if (wakes_[paths_[at.last][at.done[at.last]]]) break;
            ++at.done[at.last];
        }
        return at;
    }
    void reach(const position& at, unsigned cost, bool dearer) {
        const auto [known, fresh] = best_.try_emplace(at, cost);
        if (!fresh && known->second <= cost) return;
        known->second = cost;
        if (dearer) {
            open_.emplace_back(at, cost);
        } else {
            open_.emplace_front(at, cost);
        }
    }
    [[nodiscard]] bool has_more(const position& at, std::size_t thread_id) const {
        return at.done[thread_id] < paths_[thread_id].size();
    }
    [[nodiscard]] const event& next_of(const position& at, std::size_t thread_id) const {
        return graph_[paths_[thread_id][at.done[thread_id]]];
    }
    [[nodiscard]] bool enabled(const position& at, std::size_t thread_id) const {
        const event& next = next_of(at, thread_id);
        if (!next.reads_event()) return true;
        return at.done[graph_[next.read().rf].thread_id] > graph_[next.read().rf].index;
    }
    // A thread that cannot go on by itself is not preempted, nor is one that is over.
    [[nodiscard]] bool waits(const position& at, std::size_t thread_id) const {
        const event& next = next_of(at, thread_id);
        return next.kind() == event_kind::beginning ||
               (next.is_read() && may_block(next.read().form) && !enabled(at, thread_id));
    }
    [[nodiscard]] bool finished(const position& at) const {
        for (std::size_t thread_id = 1; thread_id < paths_.size(); ++thread_id) {
            if (has_more(at, thread_id)) return false;
        }
        return true;
    }

    const execution_graph& graph_;
    std::vector<bool> wakes_;  ///< by event: another thread waits for it
    const thread_paths& paths_;
    std::map<position, unsigned> best_;
    std::deque<std::pair<position, unsigned>> open_;
};

}  // namespace

bool within_preemptions(const execution_graph& graph, unsigned bound) {
    constexpr std::size_t few = 8;
    const thread_paths paths(graph);
    if (paths.size() <= few) return run_search<few>(graph, paths).within(bound);
    return run_search<max_thread_ids>(graph, paths).within(bound);
}

}  // namespace ordeal::detail::graph
