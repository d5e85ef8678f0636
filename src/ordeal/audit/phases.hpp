// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>
#include <vector>

// The phases of an audit that look at one site at a time, in their order. Those that look at several sites together are
// in assignments/assignments.hpp.
namespace ordeal::detail {

/// Judges every weaker order at every site of the subjects, which must have their results as written and their sites.
void weaken_sites(audit_run& run, std::span<audited_subject> subjects);

/// Records for each site of a subject which scenarios reach it, in which of them a value crosses threads there, and its
/// partners: from the searches of all subjects as written.
void note_exercise(audited_subject& subject, std::span<const audited_subject> subjects);

/// Records the object of each site of a subject, by replaying executions in which a value crosses threads there.
void note_objects(audit_run& run, audited_subject& subject);

/// The cost of these sites' operations with these orders, on each of the targets(). The two sites of a compare-exchange
/// count once; if one of them is missing, its order is the one declared in `all`.
[[nodiscard]] std::vector<target_cost> costs_of(std::span<const site> sites, std::span<const order> orders,
                                                std::span<const audited_site> all);

/// Sets the cost of a repair's operations, before and after it. A new fence costs what it is compiled to.
void note_costs(repair& value, std::span<const audited_site> all);

/// Sets what each order of a site is compiled to, and whether a weaker one is compiled to the same.
void note_costs(audited_subject& subject);

}  // namespace ordeal::detail
