// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ordeal::detail {

/// Bounds of a search for repairs.
struct guided_limits {
    std::size_t searches = 200;
    std::size_t repairs = 4;
    double seconds = 0;  ///< wall-clock time, checked before each step; 0: no limit
};

/// Repairs from counterexamples. A violated execution names the orders that would forbid it (remedies_of); with them
/// another execution may be violated, which names more, until every scenario holds. Each change answers a violation, so
/// a repair takes about as many searches as it has changes, however many sites there are. Then changes that can be left
/// out or weakened are.
///
/// If a violation names several remedies, each is followed, first those paths that take the first remedy most often:
/// the paths to the leaves of a hitting-set tree (Reiter, "A theory of diagnosis from first principles", Artificial
/// Intelligence 32, 1987), by limited discrepancy (Harvey and Ginsberg, IJCAI 1995). A remedy that no trace names is
/// not found. In the order in which they were found.
[[nodiscard]] std::vector<repair> repair_by_counterexamples(audit_run& run, audited_subject& subject,
                                                            std::vector<const audited_scenario*> witnesses,
                                                            const guided_limits& limits);

/// A repair of one violated scenario, found from counterexamples within so many seconds; nothing if none was found that
/// holds in every execution.
[[nodiscard]] std::optional<repair> repair_of_violation(const audit_options& options, const scenario& what,
                                                        const search_result& violated, double seconds);

}  // namespace ordeal::detail
