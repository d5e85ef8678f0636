// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/audit/audit.hpp"
#include "ordeal/audit/searches.hpp"

#include <span>

namespace ordeal::detail {

/// Finds all minimal assignments of orders to the sites of a subject that holds as written, and decides for each site
/// whether it is stronger than needed. The scenarios of all subjects that reach its sites must hold.
void find_joint(audit_run& run, audited_subject& subject, std::span<const audited_subject> subjects);

/// Finds all minimal sets of stronger orders that repair a subject which is violated as written: at its own sites; if
/// there are none, at all sites that its scenarios reach. Sets the subject's repairs and note, and the verdicts of its
/// sites.
void find_repairs(audit_run& run, audited_subject& subject);

}  // namespace ordeal::detail
