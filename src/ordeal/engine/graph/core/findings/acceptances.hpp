// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/execution_state.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <string_view>
#include <vector>

namespace ordeal::graph {

/// A limit: with what is accepted a search cannot tell these from nondeterminism.
inline constexpr std::string_view limit_for_differing_runs =
    "of executions that differ between two runs of one graph, behind what is accepted, the rest was not followed";

/// The violations that the search goes on behind, and those of them that this execution has met.
class acceptances {
public:
    acceptances(const std::vector<acceptance>& accepted, execution_state& run) : accepted_(accepted), run_(run) {}

    /// Whether such a violation at this place is accepted; then it is noted. No site: it has no place.
    [[nodiscard]] bool cover(violation_kind kind, site_id site);

    /// Whether what a racy access reads may differ from run to run of one graph.
    [[nodiscard]] bool some_race() const noexcept;

private:
    const std::vector<acceptance>& accepted_;
    execution_state& run_;
};

}  // namespace ordeal::graph
