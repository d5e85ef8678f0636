// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ordeal::detail {

/// How far a search for repairs goes.
struct guided_limits {
    std::size_t searches = 200;
    std::size_t repairs = 4;
    double seconds = 0;  ///< by the clock on the wall, asked before each step; 0: no limit
};

struct guided_repairs {
    std::vector<repair> found;  ///< in the order in which they were found
    bool exhausted = false;     ///< every choice among the remedies that the violations named was followed
};

/// Repairs from counterexamples. An execution that is violated names the orders that would forbid it (remedies_of); with
/// them another may be violated, which names more, until every scenario holds. Each change answers a violation, so a repair
/// takes about as many searches as it has changes, however many sites there are. Then what can be left out, or be made weaker, is.
///
/// Where a violation names several remedies, each is followed, those first that take the first remedy most often: the paths to
/// the leaves of a hitting-set tree (Reiter, "A theory of diagnosis from first principles", Artificial Intelligence 32,
/// 1987), by limited discrepancy (Harvey and Ginsberg, IJCAI 1995). A remedy that no trace names is not found.
[[nodiscard]] guided_repairs repair_by_counterexamples(audit_run& run, audited_subject& subject,
                                                       std::vector<const audited_scenario*> witnesses,
                                                       const guided_limits& limits);

}  // namespace ordeal::detail

namespace ordeal {

/// A repair of one scenario that is violated, found from counterexamples with at most so many seconds; nothing where none was
/// found that holds in every execution.
[[nodiscard]] std::optional<repair> repair_of_violation(const audit_options& options, const scenario& what,
                                                        const search_result& violated, double seconds);

}  // namespace ordeal
