// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/acceptances.hpp"

#include "ordeal/runtime/execution.hpp"

#include <algorithm>

namespace ordeal::detail::graph {

bool acceptances::cover(violation_kind kind, site_id site) {
    if (accepted_.empty()) return false;
    // Nothing is speculated on behind it: if the violation is real, the search will find it.
    if (kind == violation_kind::data_race && run_.executing && run_.self().speculated.active) return false;
    const harness_scope harness;
    const site_key& where = sites().at(site).key;
    const auto covers = [&](const acceptance& each) { return each.covers(kind, where.file, where.line); };
    if (!can_be_accepted(kind) || std::ranges::none_of(accepted_, covers)) return false;
    for (const accepted_violation& each : run_.accepted) {
        if (each.kind == kind && each.file == where.file && each.line == where.line) return true;
    }
    run_.accepted.push_back({kind, where.file, where.line, 1});
    return true;
}

bool acceptances::some_race() const noexcept {
    return std::ranges::any_of(accepted_, [](const acceptance& each) {
        return each.kind == violation_kind::data_race || each.kind == violation_kind::uninitialised_read;
    });
}

}  // namespace ordeal::detail::graph
