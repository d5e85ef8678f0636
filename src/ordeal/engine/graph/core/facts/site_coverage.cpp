// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/facts/site_coverage.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/instrumented_front_end.hpp"

namespace ordeal::detail::graph {

// What a thread does in a certification is no execution.
void site_coverage::add(site_id site, std::uint8_t flag) {
    if (run_.certification != nullptr) return;
    const harness_scope harness;
    if (site >= flags_.size()) flags_.resize(std::max<std::size_t>(site + 1, 2 * flags_.size()));
    flags_[site] |= flag;
}

void site_coverage::add_writer(site_id writer, site_id reader) {
    const harness_scope harness;
    if (reader >= writers_.size()) writers_.resize(std::max<std::size_t>(reader + 1, 2 * writers_.size()));
    writers_[reader].push_back(writer);
    ++pairs_;
}

site_id site_of_read(const run_state& run, event_id read) {
    const event& made = (*run.graph)[read];
    const site_id known = run.views[read].site;
    const site& storing = sites().at(known);
    if (storing.key.what != role::success) return known;
    const auto& path = run.of(made.thread_id).path;
    const std::size_t next = made.index + std::size_t{1};
    if (next < path.size() && (*run.graph)[path[next]].is_rmw() && (*run.graph)[path[next]].where == made.where) {
        return known;
    }
    site_key failing = storing.key;
    failing.what = role::failure;
    for (site_id id = 1; id < sites().size(); ++id) {
        const site& each = sites().at(id);
        if (each.atomic && each.key == failing && each.operation == storing.operation) return id;
    }
    return known;
}

site_id site_of(const code_location& at) {
    const harness_scope harness;
    return instrumented().site_of(at);
}

}  // namespace ordeal::detail::graph
