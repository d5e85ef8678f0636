// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/state/thread_tree.hpp"

#include "ordeal/engine/graph/core/state/freed_blocks.hpp"
#include "ordeal/runtime/execution.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

thread_tree::thread_tree(int fixed) : count_(fixed) {
    for (int thread_id = 1; thread_id <= fixed; ++thread_id) {
        origins_[static_cast<std::size_t>(thread_id)] = {main_thread_id, static_cast<unsigned>(thread_id)};
    }
    sort();
}

std::vector<unsigned> thread_tree::path_of(int thread_id) const {
    std::vector<unsigned> path;
    for (; thread_id != main_thread_id; thread_id = origins_[static_cast<std::size_t>(thread_id)].creator) {
        path.push_back(origins_[static_cast<std::size_t>(thread_id)].ordinal);
    }
    std::ranges::reverse(path);
    return path;
}

int thread_tree::at(const std::vector<unsigned>& path) {
    int thread_id = main_thread_id;
    for (const unsigned ordinal : path) {
        if (thread_id != main_thread_id) {
            thread_id = created_by(thread_id, ordinal);
        } else if (ordinal < max_thread_ids && is_fixed(static_cast<int>(ordinal))) {
            thread_id = static_cast<int>(ordinal);
        }
        if (thread_id == main_thread_id) break;
    }
    return thread_id;
}

void thread_tree::sort() {
    order_.clear();
    for (int thread_id = 1; thread_id <= count_; ++thread_id) order_.push_back(thread_id);
    std::ranges::sort(order_, {}, [&](int thread_id) { return path_of(thread_id); });
}

int thread_tree::created_by(int creator, unsigned ordinal, int highest) {
    for (int thread_id = 1; thread_id <= std::min(count_, highest); ++thread_id) {
        const origin& known = origins_[static_cast<std::size_t>(thread_id)];
        if (known.creator == creator && known.ordinal == ordinal) return thread_id;
    }
    if (count_ >= highest) return 0;
    const harness_scope harness;
    origins_[static_cast<std::size_t>(++count_)] = {creator, ordinal};
    sort();
    return count_;
}

// Values and object names also contain thread ids: those of a condition variable, for example. The next run computes
// them again, as it does for a graph from a token.
void thread_tree::forget_values(execution_graph& graph) {
    for (std::size_t id = 0; id < graph.size(); ++id) {
        event& each = graph[static_cast<event_id>(id)];
        if (!each.accesses_memory()) continue;
        each.where = no_location;
        if (each.is_write()) each.write().value = 0;
    }
    graph.known_consistent = false;
}

bool thread_tree::adopt(execution_graph& graph) {
    std::array<int, max_thread_ids> here{};
    std::array<unsigned, max_thread_ids> created{};
    bool renumbered = false;
    for (int thread_id = 1; thread_id <= count_; ++thread_id) {
        if (origins_[static_cast<std::size_t>(thread_id)].creator != main_thread_id) continue;
        here[static_cast<std::size_t>(thread_id)] = thread_id;
    }
    for (std::size_t id = 0; id < graph.size(); ++id) {
        event& each = graph[static_cast<event_id>(id)];
        const int thread_id = here[each.thread_id];
        if (thread_id == 0) return false;
        renumbered |= thread_id != each.thread_id;
        each.thread_id = static_cast<std::uint8_t>(thread_id);
        if (each.takes_freed_block()) {
            free_name taken = free_name::of(each.allocation().block);
            if (taken.thread_id >= max_thread_ids) return false;
            const int freer = here[taken.thread_id];
            if (freer == 0 && taken.thread_id != main_thread_id) return false;
            taken.thread_id = static_cast<std::uint8_t>(freer);
            each.allocation().block = taken.word();
        }
        if (each.kind() != event_kind::creation) continue;
        std::uint64_t& named = each.creation().created;
        if (named == 0 || named >= max_thread_ids) return false;
        int& child = here[named];
        if (child == 0) child = created_by(thread_id, created[static_cast<std::size_t>(thread_id)]++);
        if (child == 0) return false;
        named = static_cast<std::uint64_t>(child);
    }
    if (renumbered) forget_values(graph);
    graph.spurious_matters_next = static_cast<std::uint8_t>(here[graph.spurious_matters_next]);
    return true;
}

}  // namespace ordeal::detail::graph
