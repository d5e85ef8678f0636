// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/graph/core/state/run_state.hpp"
#include "ordeal/runtime/site.hpp"
#include "ordeal/runtime/violation.hpp"

#include <string_view>
#include <vector>

namespace ordeal::detail::graph {

/// The limit for differing runs: after an accepted violation they cannot be told from nondeterminism.
inline constexpr std::string_view limit_for_differing_runs =
    "two runs of one graph differed after an accepted violation; it was not followed further";

/// The violations after which the search continues, and those of them that occurred in this execution.
class acceptances {
public:
    acceptances(const std::vector<acceptance>& accepted, run_state& run) : accepted_(accepted), run_(run) {}

    /// Whether a violation of this kind at this site is accepted; if so it is recorded. no_site: it has no site.
    [[nodiscard]] bool cover(violation_kind kind, site_id site);

    /// Whether a racy read may differ between runs of one graph.
    [[nodiscard]] bool some_race() const noexcept;

private:
    const std::vector<acceptance>& accepted_;
    run_state& run_;
};

}  // namespace ordeal::detail::graph
