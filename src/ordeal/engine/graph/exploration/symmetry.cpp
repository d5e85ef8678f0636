// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/exploration/symmetry.hpp"

#include "ordeal/engine/graph/execution/locations.hpp"

#include <algorithm>
#include <compare>
#include <tuple>

namespace ordeal::graph {

namespace {

/// What an event did, in terms that an exchange of threads does not change. What a thread does to its own objects, or
/// reads from itself, counts by its own point in time.
struct deed {
    event_kind kind;
    bool own_object;
    location where;
    bool own_rf;
    std::uint16_t co;

    auto operator<=>(const deed&) const = default;
};

deed deed_of(const execution_graph& graph, const event& each) {
    deed result{each.kind, false, each.where, false, each.co};
    if (const auto owner = owner_of(each.where); owner && owner->thread_id == each.thread_id) {
        result.own_object = true;
        result.where = owner->index;
    }
    if (each.kind == event_kind::read) {
        result.co = graph.co_of(each.rf);
        if (each.rf != initial_write && graph[each.rf].thread_id == each.thread_id) {
            result.own_rf = true;
            result.co = graph[each.rf].index;
        }
    }
    return result;
}

// Whether no later write can revisit the event or something that would have to go with it: it is not as a search that
// always takes the newest write would have made it, by events that came before it.
bool fixed_by_earlier(const execution_graph& graph, event_id id) {
    const event& mine = graph[id];
    if (mine.spurious || mine.takes_freed_block()) return true;
    if (!mine.accesses_memory()) return false;
    const bool is_write = mine.kind == event_kind::write;
    const std::uint16_t co = is_write ? mine.co : graph.co_of(mine.rf);
    for (event_id other = 0; other < id; ++other) {
        const event& each = graph[other];
        if (each.where != mine.where) continue;
        if (each.kind == event_kind::write ? each.co > co : is_write && each.rf == id) return true;
    }
    return false;
}

}  // namespace

symmetry::symmetry(const std::vector<int>& threads) {
    for (const int thread : threads) {
        if (thread >= 0 && static_cast<std::size_t>(thread) + 1 < max_thread_ids) {
            members_.push_back(static_cast<std::uint8_t>(thread + 1));
        }
    }
    std::ranges::sort(members_);
    const auto twice = std::ranges::unique(members_);
    members_.erase(twice.begin(), twice.end());
}

void symmetry::collect(const execution_graph& graph) {
    for (std::vector<event_id>& path : paths_) path.clear();
    for (std::size_t id = 0; id < graph.size(); ++id) {
        paths_[graph[static_cast<event_id>(id)].thread_id].push_back(static_cast<event_id>(id));
    }
}

// What an event that stays depends on stays too.
void symmetry::settle(const execution_graph& graph, event_id id) {
    while (!settled_[id]) {
        settled_[id] = true;
        const event& mine = graph[id];
        if (mine.kind == event_kind::read && mine.rf != initial_write) settle(graph, mine.rf);
        if (mine.index == 0) return;
        id = paths_[mine.thread_id][mine.index - std::size_t{1}];
    }
}

void symmetry::find_settled(const execution_graph& graph) {
    settled_.assign(graph.size(), false);
    for (std::size_t id = 0; id < graph.size(); ++id) {
        const auto each = static_cast<event_id>(id);
        if (!settled_[id] && fixed_by_earlier(graph, each)) settle(graph, each);
    }
}

// Whether the event is at an object that another of the threads made: its name would change with an exchange.
bool symmetry::foreign(const event& each) const {
    const auto owner = owner_of(each.where);
    return owner && owner->thread_id != each.thread_id &&
           std::ranges::find(members_, owner->thread_id) != members_.end();
}

// Whether no two neighbours are in the wrong order by what is settled.
bool symmetry::in_order(const execution_graph& graph) {
    for (std::size_t i = 1; i < members_.size(); ++i) {
        const std::vector<event_id>& left = paths_[members_[i - 1]];
        const std::vector<event_id>& right = paths_[members_[i]];
        for (std::size_t index = 0; index < left.size() && index < right.size(); ++index) {
            if (!settled_[left[index]] || !settled_[right[index]]) break;
            if (foreign(graph[left[index]]) || foreign(graph[right[index]])) break;
            // Which block it takes, and what lies there from then on, has a name that changes with an exchange.
            if (graph[left[index]].takes_freed_block() || graph[right[index]].takes_freed_block()) break;
            const auto order = deed_of(graph, graph[left[index]]) <=> deed_of(graph, graph[right[index]]);
            if (order > 0) return false;
            if (order < 0) break;
        }
    }
    return true;
}

bool symmetry::leads_to_a_representative(const execution_graph& graph) {
    // A graph that came as text says nothing of locations before it has been run.
    const auto unknown = [](const event& each) { return each.accesses_memory() && each.where == no_location; };
    if (std::ranges::any_of(graph.events(), unknown)) return true;
    collect(graph);
    find_settled(graph);
    return in_order(graph);
}

bool symmetry::is_representative(const execution_graph& graph) {
    collect(graph);
    settled_.assign(graph.size(), true);
    return in_order(graph);
}

}  // namespace ordeal::graph
