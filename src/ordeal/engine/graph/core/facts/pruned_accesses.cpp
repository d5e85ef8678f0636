// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/pruned_accesses.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

bool pruned_accesses::may_race() const {
    if (pruned.is_empty() || unordered.is_empty()) return false;
    if (pruned.too_many || unordered.too_many) return true;
    return std::ranges::any_of(unordered.some, [&](const loop_access& by) {
        return std::ranges::any_of(pruned.some, [&](const loop_access& of) {
            return of.thread_id == by.thread_id && of.kind.conflicts_with(by.kind) && by.events > of.events &&
                   by.ordered <= of.events && of.address < by.address + by.size && by.address < of.address + of.size;
        });
    });
}

}  // namespace ordeal::detail::graph
