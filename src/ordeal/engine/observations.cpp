// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/observations.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ordeal::detail {

namespace {

auto ease(const outcome_example& of) { return std::tuple(of.difficulty, of.path.size(), of.path); }

}  // namespace

bool keeps(const outcome_examples& kept, const std::string& outcome) {
    return kept.size() < most_outcome_examples || outcome <= kept.rbegin()->first;
}

void keep_most(outcome_examples& kept) {
    while (kept.size() > most_outcome_examples) kept.erase(std::prev(kept.end()));
}

void merge_examples(const outcome_examples& more, outcome_examples& into) {
    for (const auto& [outcome, example] : more) {
        if (!keeps(into, outcome)) break;
        const auto [known, is_new] = into.try_emplace(outcome, example);
        if (is_new) continue;
        const std::uint64_t executions = known->second.executions + example.executions;
        if (ease(example) < ease(known->second)) known->second = example;
        known->second.executions = executions;
    }
    keep_most(into);
}

namespace {

bool is_same(const site& left, const site& right) {
    return left.key == right.key && left.declared == right.declared && left.operation == right.operation;
}

void merge_observers(const std::vector<site>& more, std::vector<site>& into) {
    for (const site& each : more) {
        if (std::ranges::none_of(into, [&](const site& known) { return is_same(known, each); })) into.push_back(each);
    }
}

void merge_transitions(const std::vector<state_transition>& more, std::vector<state_transition>& into) {
    for (const state_transition& each : more) {
        const auto known = std::ranges::find_if(into, [&](const state_transition& other) {
            return other.from == each.from && other.to == each.to && is_same(other.by, each.by);
        });
        if (known == into.end()) {
            into.push_back(each);
        } else {
            known->times += each.times;
        }
    }
}

void merge_one(const atomic_states& more, atomic_states& into) {
    into.executions += more.executions;
    into.too_many |= more.too_many;
    for (const auto& [name, seen] : more.states) {
        seen_state& known = into.states[name];
        known.times += seen.times;
        merge_observers(seen.observers, known.observers);
    }
    merge_transitions(more.transitions, into.transitions);
    for (const auto& [path, executions] : more.paths) into.paths[path] += executions;
    while (into.paths.size() > most_state_paths) into.paths.erase(std::prev(into.paths.end()));
    if (into.states.size() > most_states) into.too_many = true;
    if (!into.too_many) return;
    into.states.clear();
    into.transitions.clear();
    into.paths.clear();
}

}  // namespace

void merge_atomic_states(const std::vector<atomic_states>& more, std::vector<atomic_states>& into) {
    for (const atomic_states& each : more) {
        const auto place = std::ranges::lower_bound(into, each.id, {}, &atomic_states::id);
        if (place != into.end() && place->id == each.id) {
            merge_one(each, *place);
        } else {
            into.insert(place, each);
        }
    }
    if (into.size() > most_tracked_atomics) into.resize(most_tracked_atomics);
}

}  // namespace ordeal::detail
