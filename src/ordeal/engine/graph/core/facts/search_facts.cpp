// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/search_facts.hpp"

#include "ordeal/engine/graph/core/facts/exploration_bounds.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

void search_facts::add_limit(const std::string& what, const std::string& where) {
    const auto [known, added] = limits.emplace(what, where);
    if (!added && where < known->second) known->second = where;
}

bool search_facts::met_a_bound() const {
    return !limits.empty() ||
           std::ranges::find(lb_patterns, false, &lb_site_names::only_by_letter) != lb_patterns.end() ||
           std::ranges::any_of(exploration_bounds(), [this](const exploration_bound& each) {
               return each.effect == limit_effect::bounds && this->*each.reached;
           });
}

void search_facts::add(const search_facts& other) {
    for (const exploration_bound& each : exploration_bounds()) this->*each.reached |= other.*each.reached;
    pruned_accesses.add(other.pruned_accesses);
    loop_races |= pruned_accesses.may_race();
    threads_shared_object |= other.threads_shared_object;
    concurrent |= other.concurrent;
    synchronised |= other.synchronised;
    false_assumption |= other.false_assumption;
    order_of_arrivals |= other.order_of_arrivals;
    order_of_sections |= other.order_of_sections;
    mixed.insert(other.mixed.begin(), other.mixed.end());
    if (part_access.empty() || (!other.part_access.empty() && other.part_access < part_access))
        part_access = other.part_access;
    threads = std::max(threads, other.threads);
    lb_patterns.insert(other.lb_patterns.begin(), other.lb_patterns.end());
    for (const auto& [what, where] : other.limits) add_limit(what, where);
    if (refused.empty()) refused = other.refused;
}

}  // namespace ordeal::detail::graph
