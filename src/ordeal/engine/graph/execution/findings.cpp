// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/execution/findings.hpp"

#include "ordeal/engine/graph/execution/budgets.hpp"

#include <algorithm>

namespace ordeal::graph {

void findings::add_limit(const std::string& what, const std::string& where) {
    const auto [known, added] = limits.emplace(what, where);
    if (!added && where < known->second) known->second = where;
}

bool findings::met_a_bound() const {
    return !limits.empty() || std::ranges::find(buffered, false, &buffered_load_sites::by_letter) != buffered.end() ||
           std::ranges::any_of(budgets(), [this](const budget& each) {
               return each.effect == limit_effect::bounds && this->*each.met;
           });
}

void findings::add(const findings& other) {
    for (const budget& each : budgets()) this->*each.met |= other.*each.met;
    threads_met |= other.threads_met;
    concurrent |= other.concurrent;
    synchronised |= other.synchronised;
    threads = std::max(threads, other.threads);
    buffered.insert(other.buffered.begin(), other.buffered.end());
    for (const auto& [what, where] : other.limits) add_limit(what, where);
    if (refused.empty()) refused = other.refused;
}

}  // namespace ordeal::graph
