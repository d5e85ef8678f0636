// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/state/thread_tree.hpp"

#include "ordeal/engine/graph/state/freed_blocks.hpp"
#include "ordeal/model/execution.hpp"

#include <algorithm>

namespace ordeal::graph {

thread_tree::thread_tree(int fixed) : count_(fixed) {
    for (int number = 1; number <= fixed; ++number) {
        origins_[static_cast<std::size_t>(number)] = {main_number, static_cast<unsigned>(number)};
    }
    sort();
}

std::vector<unsigned> thread_tree::path_of(int number) const {
    std::vector<unsigned> path;
    for (; number != main_number; number = origins_[static_cast<std::size_t>(number)].creator) {
        path.push_back(origins_[static_cast<std::size_t>(number)].ordinal);
    }
    std::ranges::reverse(path);
    return path;
}

void thread_tree::sort() {
    order_.clear();
    for (int number = 1; number <= count_; ++number) order_.push_back(number);
    std::ranges::sort(order_, {}, [&](int number) { return path_of(number); });
}

int thread_tree::created_by(int creator, unsigned ordinal) {
    for (int number = 1; number <= count_; ++number) {
        const origin& known = origins_[static_cast<std::size_t>(number)];
        if (known.creator == creator && known.ordinal == ordinal) return number;
    }
    if (count_ + 1 == static_cast<int>(max_numbers)) return 0;
    const harness_scope harness;
    origins_[static_cast<std::size_t>(++count_)] = {creator, ordinal};
    sort();
    return count_;
}

// What is known of values and objects names threads, too: a condition variable holds their numbers. The next run finds
// it out again, as it does for a graph that came as a token.
void thread_tree::forget_values(execution_graph& graph) {
    for (std::size_t id = 0; id < graph.size(); ++id) {
        event& each = graph[static_cast<event_id>(id)];
        if (!each.accesses_memory()) continue;
        each.where = no_location;
        each.value = 0;
    }
    graph.checked = false;
}

bool thread_tree::adopt(execution_graph& graph) {
    std::array<int, max_numbers> here{};
    std::array<unsigned, max_numbers> created{};
    bool renumbered = false;
    for (int number = 1; number <= count_; ++number) {
        if (origins_[static_cast<std::size_t>(number)].creator != main_number) continue;
        here[static_cast<std::size_t>(number)] = number;
    }
    for (std::size_t id = 0; id < graph.size(); ++id) {
        event& each = graph[static_cast<event_id>(id)];
        const int number = here[each.number];
        if (number == 0) return false;
        renumbered |= number != each.number;
        each.number = static_cast<std::uint8_t>(number);
        if (each.takes_freed_block()) {
            free_name taken = free_name::of(each.value);
            if (taken.number >= max_numbers) return false;
            const int freer = here[taken.number];
            if (freer == 0 && taken.number != main_number) return false;
            taken.number = static_cast<std::uint8_t>(freer);
            each.value = taken.word();
        }
        if (each.kind != event_kind::creation) continue;
        if (each.value == 0 || each.value >= max_numbers || here[each.value] != 0) return false;
        const int child = created_by(number, created[static_cast<std::size_t>(number)]++);
        if (child == 0) return false;
        here[each.value] = child;
        each.value = static_cast<std::uint64_t>(child);
    }
    if (renumbered) forget_values(graph);
    graph.unsteady_next = static_cast<std::uint8_t>(here[graph.unsteady_next]);
    return true;
}

}  // namespace ordeal::graph
