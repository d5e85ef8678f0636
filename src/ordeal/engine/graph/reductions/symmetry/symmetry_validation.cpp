// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/reductions/symmetry/symmetry_validation.hpp"

#include "ordeal/engine/graph/core/events/waiter_bits.hpp"
#include "ordeal/engine/graph/core/run/locations.hpp"
#include "ordeal/engine/graph/core/state/freed_blocks.hpp"
#include "ordeal/engine/limit.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <numeric>
#include <ranges>

namespace ordeal::detail::graph {

namespace {

// So many different ways of threads are kept in mind.
constexpr std::size_t most_ways = 100'000;

// Some of several threads are woken: which is told by numbers of threads, in an order that an exchange does not keep.
bool chooses_of_several(const execution_graph& graph, const event& each, read_form how) {
    return each.reads_event() && each.read().form == how && waiting_threads(graph[each.read().rf].write().value) > 1;
}

}  // namespace

bool symmetry_validation::is_member(std::uint8_t thread_id) const {
    return std::ranges::any_of(symmetry_.all(),
                               [&](const members& group) { return std::ranges::binary_search(group, thread_id); });
}

bool symmetry_validation::may_be_renamed(const execution_graph& graph) const {
    return std::ranges::none_of(graph.events(), [&](const event& each) {
        return (each.kind() == event_kind::creation && is_member(each.thread_id)) ||
               chooses_of_several(graph, each, read_form::wake);
    });
}

// What a thread does is known by its operations, and by whose which event each of its reads has read.
bool symmetry_validation::does_something_new(const execution_graph& graph) {
    std::array<std::uint64_t, max_thread_ids> ways{};
    for (const event& each : graph.events()) {
        std::uint64_t& way = ways[each.thread_id];
        way = hash_of_number(static_cast<std::uint64_t>(each.kind()), way);
        way = hash_of_number(each.variant() + (each.is_spurious() ? std::uint64_t{256} : std::uint64_t{0}), way);
        if (each.takes_freed_block())
            way = hash_of_number(is_member(free_name::of(each.allocation().block).thread_id) ? 1 : 2, way);
        if (!each.reads_event()) continue;
        const event& rf = graph[each.read().rf];
        const std::uint8_t whose = rf.thread_id == each.thread_id ? 0xfe
                                   : is_member(rf.thread_id)      ? 0xff
                                                                  : rf.thread_id;
        way = hash_of_number(whose + std::uint64_t{256} * rf.index + (std::uint64_t{1} << 32), way);
    }
    bool some = false;
    for (const members& group : symmetry_.all()) {
        for (const std::uint8_t member : group) {
            if (done_.size() < most_ways) some |= done_.insert(hash_of_number(group.front(), ways[member])).second;
        }
    }
    return some;
}

std::optional<std::string> symmetry_validation::check(const execution_graph& graph, const std::string& outcome) {
    ++executions_;
    violated_.reset();
    const bool some_of_many = executions_ <= first_checked || executions_ % executions_between == 0;
    const bool is_new = does_something_new(graph);
    if (checks_ > most_checks()) return std::nullopt;
    if ((!some_of_many && !is_new) || !may_be_renamed(graph)) return std::nullopt;
    for (const members& group : symmetry_.all()) {
        if (auto message = check(group, graph, outcome, is_new)) return message;
    }
    return std::nullopt;
}

std::uint64_t symmetry_validation::most_checks() const {
    std::uint64_t threads = 0;
    for (const members& group : symmetry_.all()) threads += group.size();
    return first_checked * threads + executions_ / executions_per_check;
}

// Tries every permutation of a small group. Of a larger one: each rotation, swaps of neighbours, which are no
// rotations, and as many permutations at random.
std::optional<std::string> symmetry_validation::check(const members& group, const execution_graph& graph,
                                                      const std::string& outcome, bool all) {
    std::vector<members> ways;
    members parts = group;
    if (group.size() <= most_permuted) {
        while (std::ranges::next_permutation(parts).found) ways.push_back(parts);
    } else {
        for (std::size_t by = 1; by < group.size(); ++by) {
            std::ranges::rotate_copy(group, group.begin() + static_cast<std::ptrdiff_t>(by), parts.begin());
            ways.push_back(parts);
            parts = group;
            std::swap(parts[by - 1], parts[by]);
            ways.push_back(parts);
            std::ranges::shuffle(parts, random_);
            ways.push_back(parts);
        }
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
        if (!all && group.size() > 2 && executions_ % (group.size() - 1) != i % (group.size() - 1)) continue;
        if (auto message = exchanged(group, ways[i], graph, outcome)) return message;
    }
    return std::nullopt;
}

// Maps the index of the notified waiter to its index after the permutation.
std::uint8_t symmetry_validation::notified(std::uint64_t waiting, std::uint8_t which, const renaming& names) const {
    std::bitset<max_thread_ids> before;
    std::uint8_t from = 0;
    const std::vector<int>& order = runner_.interpreter().thread_ids.order();
    std::uint8_t position = 0;
    for (const int thread_id : order) {
        if (!is_waiting(waiting, thread_id)) continue;
        const std::uint8_t named = names[static_cast<std::size_t>(thread_id)];
        before.set(named);
        if (position++ == which) from = named;
    }
    std::uint8_t result = 0;
    for (const int thread_id : order) {
        if (thread_id == from) break;
        if (before[static_cast<std::size_t>(thread_id)]) ++result;
    }
    return result;
}

// As the graph of another run, from which it has who does what: locations and values are those that the run comes to.
void symmetry_validation::rename(const execution_graph& graph, const renaming& names) {
    renamed_ = graph;
    for (std::size_t id = 0; id < renamed_.size(); ++id) {
        event& each = renamed_[static_cast<event_id>(id)];
        each.thread_id = names[each.thread_id];
        each.where = no_location;
        if (chooses_of_several(graph, graph[static_cast<event_id>(id)], read_form::notify_one)) {
            each.read().variant = notified(graph[each.read().rf].write().value, each.variant(), names);
        }
        if (!each.takes_freed_block()) continue;
        free_name taken = free_name::of(each.allocation().block);
        taken.thread_id = names[taken.thread_id];
        each.allocation().block = taken.word();
    }
}

// An object may be another one for each thread, the element of an array say, but the same one each time that it is
// used.
bool symmetry_validation::does_the_same(const execution_graph& graph, const renaming& names) {
    if (renamed_.size() != graph.size()) return false;
    objects_.clear();
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const auto id = static_cast<event_id>(i);
        const event& before = graph[id];
        const event& now = renamed_[id];
        if (now.kind() != before.kind() || now.is_rmw() != before.is_rmw() || now.using_order != before.using_order)
            return false;
        const auto owner = owner_of(before.where);
        const auto owner_now = owner_of(now.where);
        if (owner.has_value() != owner_now.has_value()) return false;
        if (owner && (owner_now->thread_id != names[static_cast<std::size_t>(owner->thread_id)])) return false;
        const auto known = std::ranges::find_if(objects_, [&](const std::pair<location, location>& each) {
            return each.first == before.where || each.second == now.where;
        });
        if (known == objects_.end()) {
            objects_.emplace_back(before.where, now.where);
        } else if (*known != std::pair(before.where, now.where)) {
            return false;
        }
    }
    return true;
}

// Each member takes the part of another one.
std::optional<std::string> symmetry_validation::exchanged(const members& group, const members& parts,
                                                          const execution_graph& graph, const std::string& outcome) {
    ++checks_;
    renaming names{};
    std::iota(names.begin(), names.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < group.size(); ++i) names[group[i]] = parts[i];
    rename(graph, names);
    replay_strategy again;
    const ending ended = runner_.run(renamed_, again);
    if (ended == ending::violated && runner_.interpreter().run_end.found()->kind == violation_kind::nondeterminism) {
        rename(graph, names);
        return description_of_divergence(group);
    }
    if (ended == ending::violated) {
        if (runner_.interpreter().graph_memory.is_execution()) violated_ = renamed_;
        return message(group, fmt::format("exchanged, one execution is violated ({})",
                                          runner_.interpreter().run_end.found()->message));
    }
    if (ended != ending::complete || !does_the_same(graph, names))
        return message(group, "exchanged, they do something else in one execution");
    if (*runner_.outcome() != outcome) {
        return message(group, fmt::format("exchanged, one execution has the outcome \"{}\" instead of \"{}\"",
                                          *runner_.outcome(), outcome));
    }
    return std::nullopt;
}

std::string symmetry_validation::message(const members& group, const std::string& what) {
    const auto declared = group | std::views::transform([](std::uint8_t member) { return member - 1; });
    return fmt::format("threads {} are declared interchangeable, and are not: {}", listed_numbers(declared), what);
}

// The run is shown again: its last step says where it leaves the graph.
std::string symmetry_validation::description_of_divergence(const members& group) {
    replay_strategy again;
    runner_.run(renamed_, again, true);
    const auto& steps = runner_.interpreter().recorder.steps();
    const std::string how = runner_.interpreter().run_end.found() ? runner_.interpreter().run_end.found()->message : "";
    if (steps.empty() || steps.back().thread < 0) return message(group, how);
    const trace_step& last = steps.back();
    const auto thread = static_cast<std::size_t>(last.thread);
    std::string where;
    if (last.where.key.line != 0) where = fmt::format(" at {}:{}", last.where.key.file, last.where.key.line);
    return message(group, fmt::format("in the part of another, thread {} ({}) does something else{}: {}", thread,
                                      thread < what_.threads.size() ? what_.threads[thread] : "created", where, how));
}

}  // namespace ordeal::detail::graph
