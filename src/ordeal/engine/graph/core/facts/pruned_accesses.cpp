// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/pruned_accesses.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

void pruned_accesses::add(const pruned_accesses& other) {
    for (const loop_access& each : other.pruned) add_pruned(each);
    for (const loop_access& each : other.unordered) add_unordered(each);
    too_many |= other.too_many;
}

bool pruned_accesses::may_race() const {
    if (pruned.empty() || unordered.empty()) return false;
    if (too_many) return true;
    return std::ranges::any_of(unordered, [&](const loop_access& by) {
        return std::ranges::any_of(pruned, [&](const loop_access& of) {
            return of.thread_id == by.thread_id && of.kind.conflicts_with(by.kind) && by.events > of.events &&
                   by.ordered <= of.events && of.address < by.address + by.size && by.address < of.address + of.size;
        });
    });
}

}  // namespace ordeal::detail::graph
